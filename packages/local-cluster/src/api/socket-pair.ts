import type { MessageSocket } from '../../../../src/platform/http-transport.ts';

/** Messages of one direction that wait for their reader; a sender beyond it waits as well. */
const MAX_WAITING = 16;

/** Two ends of a connection within one process: what one sends is the other's message. */
export function socketPair(protocol: string): readonly [MessageSocket, MessageSocket] {
  const closing = new Closing();
  const there = new Lane(closing);
  const back = new Lane(closing);
  return [
    endOf({ protocol, closing, from: back, to: there }),
    endOf({ protocol, closing, from: there, to: back }),
  ];
}

interface End {
  readonly protocol: string;
  readonly closing: Closing;
  readonly from: Lane;
  readonly to: Lane;
}

function endOf({ protocol, closing, from, to }: End): MessageSocket {
  return {
    protocol,
    messages: from.read(),
    send: (message) => to.send(message),
    ping: () =>
      closing.isClosed ? Promise.reject(new Error('the socket is closed')) : Promise.resolve(),
    close: () => {
      closing.close();
    },
    closed: closing.closed.then(() => ({ code: 1_000, reason: '' })),
  };
}

class Closing {
  isClosed = false;
  readonly #listeners: (() => void)[] = [];
  readonly closed: Promise<void> = new Promise((resolve) => {
    this.#listeners.push(resolve);
  });

  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const listener of this.#listeners) listener();
  }
}

interface Waiting {
  readonly message: Uint8Array;
  readonly taken: () => void;
}

/** One direction. What was sent before the close is still read. */
class Lane {
  readonly #closing: Closing;
  readonly #queue: Waiting[] = [];
  #wakeReader: () => void = () => undefined;

  constructor(closing: Closing) {
    this.#closing = closing;
    closing.onClose(() => {
      this.#wakeReader();
      for (const { taken } of this.#queue) taken();
    });
  }

  send(message: Uint8Array): Promise<void> {
    if (this.#closing.isClosed) return Promise.reject(new Error('the socket is closed'));
    return new Promise((resolve) => {
      this.#queue.push({ message, taken: resolve });
      if (this.#queue.length < MAX_WAITING) resolve();
      this.#wakeReader();
    });
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#queue.shift();
      if (next !== undefined) {
        next.taken();
        yield next.message;
      } else if (this.#closing.isClosed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
