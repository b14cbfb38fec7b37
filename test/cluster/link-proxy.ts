/**
 * A TCP proxy to an API server. A test can break and repair that link. It forwards TLS end to end, so it neither reads
 * nor changes the traffic.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class LinkProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isBroken = false;

  private constructor(to: URL) {
    this.#server = createServer((near) => {
      if (this.#isBroken) {
        near.destroy();
        return;
      }
      const far = connect(Number(to.port), to.hostname);
      for (const [from, into] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(into);
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          into.destroy();
        });
      }
    });
  }

  /** `to`: URL of the API server, such as "https://10.0.0.1:6443". */
  static async open(to: string): Promise<LinkProxy> {
    const proxy = new LinkProxy(new URL(to));
    await new Promise<void>((done) => {
      proxy.#server.listen(0, '127.0.0.1', done);
    });
    return proxy;
  }

  /** URL of the proxy. The server's certificate must be valid for 127.0.0.1. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes all connections, and each new one as soon as it is opened. */
  break(): void {
    this.#isBroken = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isBroken = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.break();
    await new Promise((done) => this.#server.close(done));
  }
}
