/**
 * A link to an API server that a test breaks and repairs. It forwards TLS between both ends, so it neither reads nor
 * changes the traffic.
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

  /** `to`: "https://10.0.0.1:6443". */
  static async open(to: string): Promise<LinkProxy> {
    const proxy = new LinkProxy(new URL(to));
    await new Promise<void>((done) => {
      proxy.#server.listen(0, '127.0.0.1', done);
    });
    return proxy;
  }

  /** The certificate of the server has to be valid for that address. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends each connection, and every new one. */
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
