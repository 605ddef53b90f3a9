// A file that is handed to the visitor.

import assert from "node:assert/strict";
import { test } from "node:test";

import { download } from "../../explorer/ui/download.js";

test("a file stays there while the browser may still be reading it", ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const freed = mock.method(URL, "revokeObjectURL").mock, link = { click: mock.fn() };
  globalThis.document = { createElement: () => link };
  assert.equal(download({ name: "a.txt", type: "text/plain", data: "äb" }), 3);
  assert.equal(link.download, "a.txt");
  assert.equal(link.click.mock.callCount(), 1);
  mock.timers.tick(30_000);
  assert.equal(freed.callCount(), 0);
  mock.timers.tick(30_000);
  assert.deepEqual(freed.calls.map((call) => call.arguments), [[link.href]]);
});
