/** Writes the wire format of protocol buffers: the parts that every message is made of. Pure. */

const SEVEN_BITS = 0x80;
const WIRE_BITS = 3;
const VARINT = 0;
const BYTES = 2;

/** A field with an integer from 0 to 2^53. */
export function integerField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...tag(number, VARINT), ...varint(value)]);
}

/** A field with a text, bytes, or a message. */
export function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([...tag(number, BYTES), ...varint(bytes.length)]), bytes]);
}

function tag(number: number, wire: number): number[] {
  return varint(number * 2 ** WIRE_BITS + wire);
}

/** A number in the variable-length form: seven bits per byte, the lowest bits first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= SEVEN_BITS; rest = Math.floor(rest / SEVEN_BITS)) {
    bytes.push((rest % SEVEN_BITS) + SEVEN_BITS);
  }
  return [...bytes, rest];
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
