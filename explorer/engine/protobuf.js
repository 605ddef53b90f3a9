// Protocol buffers, as far as SentencePiece's models need them.

/** The fields of a message by number, each a list: numbers, or the bytes of texts, messages and 32-bit floats. */
export function readMessage(bytes) {
  const fields = {};
  let place = 0;
  const readNumber = () => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[place++];
      if (byte === undefined) throw new Error("tokenizer.model is incomplete.");
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  };
  const readBytes = (length) => {
    if (place + length > bytes.length) throw new Error("tokenizer.model is incomplete.");
    return bytes.subarray(place, (place += length));
  };
  const readers = { 0: readNumber, 1: () => readBytes(8), 2: () => readBytes(readNumber()), 5: () => readBytes(4) };
  while (place < bytes.length) {
    const tag = readNumber(), read = readers[tag & 7];
    if (!read) throw new Error("tokenizer.model is no SentencePiece model.");
    (fields[tag >>> 3] ??= []).push(read());
  }
  return fields;
}

export function readText(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

export function readFloat(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
}
