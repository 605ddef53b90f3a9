// Files beside the page, such as those of the static site. One that is missing, damaged, or replaced by another page
// (of a login, say) is an error that names it.

import { gunzip } from "./gzip.js";
import { trackWork } from "./rest.js";

/** `reason` is "connection", "missing" or "damaged"; `file` is the path on the static site, elsewhere the name. */
export class FileError extends Error {
  constructor(reason, url) {
    const [path] = String(url).split(/[?#]/);
    const start = path.lastIndexOf("/files/");
    const file = path.slice((start < 0 ? path.lastIndexOf("/") : start) + 1);
    super(`${file}: ${reason}`);
    this.reason = reason;
    this.file = file;
  }
}

/** The response with a file; rejects with a FileError, or with the signal's reason. */
export async function fetchFile(url, options = {}) {
  const response = await fetch(url, options).catch((error) => {
    throw options.signal?.aborted ? error : new FileError("connection", url);
  });
  if (response.status === 416) throw new FileError("damaged", url); // it is shorter than what has come of it
  if (!response.ok) throw new FileError("missing", url);
  if (response.headers.get("content-type")?.startsWith("text/html")) throw new FileError("damaged", url);
  return response;
}

/** The bytes of a gzip file and the text in it; rejects as `fetchFile` does. Its checksum tells damage. */
export async function fetchPacked(url, options = {}) {
  const { bytes, unpacked } = await fetchUnpacked(url, options);
  return { bytes, text: new TextDecoder().decode(unpacked) };
}

/** The bytes of a gzip file, and those in it. */
export function fetchUnpacked(url, options = {}) {
  return trackWork("file", unpack(url, options));
}

async function unpack(url, options) {
  const response = await fetchFile(url, options);
  const buffer = await response.arrayBuffer().catch((error) => {
    throw options.signal?.aborted ? error : new FileError("connection", url);
  });
  const bytes = new Uint8Array(buffer);
  return { bytes, unpacked: await gunzip(bytes).catch(() => { throw new FileError("damaged", url); }) };
}
