// ptxkit serve: a local page that explores files and runs modules in the browser. The server provides the page and its scripts
// and receives nothing: files dropped on the page stay there.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { servePage } from "../../lib/report/page/serve-page.js";
import { gpuModels } from "../../lib/timing/gpus/gpus.js";
import type { Host } from "../files/host.js";
import { pageScript } from "../viewer-script.js";
import { status, UsageError, type Status } from "../base/status.js";

export interface ServeOptions {
  readonly port: number;
}

const example = {
  module: `.version 8.0
.target sm_80
.address_size 64

// y[i] = a * x[i] + y[i]
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %i, %n, %t;
  .reg .b64 %x, %y, %o;
  .reg .f32 %a, %u, %v;
  ld.param.u32 %n, [n];
  mov.u32 %i, %ctaid.x;
  mov.u32 %t, %ntid.x;
  mul.lo.u32 %i, %i, %t;
  mov.u32 %t, %tid.x;
  add.u32 %i, %i, %t;
  setp.ge.u32 %p, %i, %n;
  @%p bra done;
  ld.param.f32 %a, [a];
  ld.param.u64 %x, [x];
  ld.param.u64 %y, [y];
  mul.wide.u32 %o, %i, 4;
  add.u64 %x, %x, %o;
  add.u64 %y, %y, %o;
  ld.global.f32 %u, [%x];
  ld.global.f32 %v, [%y];
  fma.rn.f32 %v, %a, %u, %v;
  st.global.f32 [%y], %v;
done:
  ret;
}
`,
  specification: `{
  "buffers": {
    "x": { "type": "f32", "length": 256, "fill": "iota" },
    "y": { "type": "f32", "length": 256, "fill": 1 }
  },
  "launches": [
    { "kernel": "saxpy", "grid": [2], "block": [128],
      "args": [{ "buffer": "x" }, { "buffer": "y" }, { "f32": 2 }, { "u32": 256 }] }
  ],
  "outputs": ["y"]
}
`,
};

/** Resolves when a signal has ended the server. */
export async function serve({ port }: ServeOptions, host: Host): Promise<Status> {
  const { server, address } = await startServer(port);
  host.out(`ptxkit serves http://${address}/ until Ctrl-C\n`);
  await new Promise<void>((done) => {
    server.once("close", done);
    process.once("SIGINT", () => {
      server.closeAllConnections();
      server.close();
    });
  });
  return status.done;
}

/** Starts a server that only this machine can reach; port 0 selects a free port. Throws UsageError if the port is in use. */
export async function startServer(port: number): Promise<{ readonly server: Server; readonly address: string }> {
  const gpus = gpuModels.map(({ name }) => name);
  const files: Readonly<Record<string, readonly [type: string, content: string]>> = {
    "/": ["text/html; charset=utf-8", servePage(example, gpus)],
    "/serve.js": ["text/javascript; charset=utf-8", pageScript("serve")],
    "/ptxkit.js": ["text/javascript; charset=utf-8", pageScript("index")],
  };
  const server = createServer((request, response) => {
    const file = request.method === "GET" ? files[request.url ?? ""] : undefined;
    if (file === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, {
          "content-type": file[0],
          // Allows only what this server provides, and WebAssembly that the library makes.
          "content-security-policy":
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; connect-src 'self'",
        })
        .end(file[1]);
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", (error) =>
      failed(new UsageError(`--port ${port}: ${error.message}`, "choose another, or 0 for any that is free")),
    );
    server.listen(port, "127.0.0.1", listening);
  });
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}
