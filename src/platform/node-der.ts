/** The forms of DER (ITU-T X.690) that an X.509 certificate needs. */

export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

export function set(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x31, Buffer.concat(parts));
}

/** DER INTEGER of a non-negative number, given as big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const shortest = first === -1 ? Buffer.of(0) : Buffer.from(bytes.subarray(first));
  // A leading one bit would make the number negative.
  const signed = (shortest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest;
  return tagged(0x02, signed);
}

export function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.of(value ? 0xff : 0));
}

/** DER form of an object identifier, such as "1.2.840.10045.4.3.2". */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.concat([40 * first + second, ...rest].map(base128)));
}

function base128(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

export function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text, 'utf8'));
}

export function octets(bytes: Uint8Array): Buffer {
  return tagged(0x04, bytes);
}

/** DER bit string; `unused` is the number of unused bits in the last byte. */
export function bits(bytes: Uint8Array, unused: number = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.of(unused), bytes]));
}

/** DER time. The year has two digits until 2049 and four digits from then on, as X.509 requires. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  const short = Number(digits.slice(0, 4)) < 2050;
  return short
    ? tagged(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(0x18, Buffer.from(digits, 'latin1'));
}

/** Adds the explicit tag [n] around whole values. */
export function explicit(number: number, ...parts: readonly Uint8Array[]): Buffer {
  return tagged(0xa0 | number, Buffer.concat(parts));
}

/** Replaces the tag of a plain value by the implicit tag [n]. */
export function implicit(number: number, bytes: Uint8Array): Buffer {
  return tagged(0x80 | number, bytes);
}

function tagged(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}
