/** The wire format of protobuf: the fields of a message with their numbers and values. Groups are not supported. */

export interface WireValue {
  readonly number: number;
  /** A varint, 8 bytes or 4 bytes as their bits, or a sequence of bytes with a length. */
  readonly value: bigint | Uint8Array;
}

export class WireError extends Error {}

export function readMessage(bytes: Uint8Array): WireValue[] {
  const reader = new Reader(bytes);
  const values: WireValue[] = [];
  while (!reader.done) values.push(reader.field());
  return values;
}

/** Packed numbers of one field. */
export function readVarints(bytes: Uint8Array): bigint[] {
  const reader = new Reader(bytes);
  const values: bigint[] = [];
  while (!reader.done) values.push(reader.varint());
  return values;
}

/** Seven bits of the value each. */
const MAX_VARINT_BYTES = 10;

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireValue {
    const tag = Number(this.varint());
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        return { number, value: this.varint() };
      case 1:
        return { number, value: this.#take(8) };
      case 2:
        return { number, value: this.#take(Number(this.varint())) };
      case 5:
        return { number, value: this.#take(4) };
      default:
        throw new WireError(`illegal wireType ${tag % 8}`);
    }
  }

  varint(): bigint {
    let value = 0n;
    for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireError('unexpected EOF');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('integer overflow');
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
