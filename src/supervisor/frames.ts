/**
 * The protocol on a supervisor's socket, between the supervisor and the node. A frame has a kind (one character), a
 * length (four bytes, big-endian) and a payload. The first frame of the node states the purpose of the connection. Also
 * runs natively: uses nothing that QuickJS lacks.
 */
import type { ProgramUser, TerminalSize } from '../platform/supervisor-host.ts';
import type { ByteText, Exit, Signal } from '../platform/platform.ts';
import { decodeUtf8, encodeUtf8 } from '../platform/byte-text.ts';
import type { ContainerEnd } from '../platform/container-runtime.ts';

/** The program of the container, or a command in the container. */
export interface Program {
  /** Path of the executable. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly user: ProgramUser | null;
}

export type Purpose =
  | { readonly kind: 'watch' }
  | { readonly kind: 'attach' }
  | {
      readonly kind: 'exec';
      readonly program: Program;
      readonly stdin: boolean;
      readonly tty: boolean;
      /**
       * Base name of the socket and of the pid file in the container's directory, if an OCI runtime hands over the
       * terminal. null: the program itself gets the streams.
       */
      readonly handover: string | null;
    }
  | { readonly kind: 'signal'; readonly signal: Signal };

/** A message from the supervisor. */
export type Word =
  | { readonly kind: 'started' }
  /** Confirms one frame of input. The node sends the next frame of input only after this one is confirmed. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  /** The command of an exec has exited. */
  | { readonly kind: 'exited'; readonly exit: Exit }
  | { readonly kind: 'ended'; readonly end: ContainerEnd }
  | { readonly kind: 'done' };

/** To the supervisor: 'p' purpose, 'i' stdin, 'c' end of stdin, 'r' size; back: 'o' stdout, 'e' stderr, 'w' message. */
export type FrameKind = 'p' | 'i' | 'c' | 'r' | 'o' | 'e' | 'w';

export type Frame =
  | { readonly kind: 'p'; readonly purpose: Purpose }
  | { readonly kind: 'w'; readonly word: Word }
  | { readonly kind: 'r'; readonly size: TerminalSize }
  | { readonly kind: 'i' | 'c' | 'o' | 'e'; readonly bytes: ByteText };

/**
 * Maximum size of a payload. The longest payloads are the arguments and environment of an exec, so a longer one is an
 * error of the sender.
 */
export const FRAME_MAX_BYTES: number = 4 * 1024 * 1024;

const headBytes = 5;

export function bytesFrame(kind: 'i' | 'c' | 'o' | 'e', bytes: ByteText): ByteText {
  return withHead(kind, bytes);
}

export function purposeFrame(purpose: Purpose): ByteText {
  return withHead('p', encodeUtf8(JSON.stringify(purpose)));
}

export function wordFrame(word: Word): ByteText {
  return withHead('w', encodeUtf8(JSON.stringify(word)));
}

export function sizeFrame(size: TerminalSize): ByteText {
  return withHead('r', JSON.stringify(size));
}

/** Returns a function that accepts the bytes in pieces. It throws on an invalid frame. */
export function frameReader(onFrame: (frame: Frame) => void): (bytes: ByteText) => void {
  let waiting: ByteText = '';
  return (bytes) => {
    waiting += bytes;
    while (waiting.length >= headBytes) {
      const length = lengthOf(waiting);
      if (length > FRAME_MAX_BYTES) throw new Error(`a frame of ${length} bytes was announced`);
      if (waiting.length < headBytes + length) return;
      const payload = waiting.slice(headBytes, headBytes + length);
      const kind = waiting.charAt(0);
      waiting = waiting.slice(headBytes + length);
      onFrame(frameOf(kind, payload));
    }
  };
}

function withHead(kind: FrameKind, payload: ByteText): ByteText {
  const { length } = payload;
  const head = [length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff];
  return kind + String.fromCharCode(...head) + payload;
}

function lengthOf(bytes: ByteText): number {
  const at = (index: number): number => bytes.charCodeAt(index);
  return at(1) * 2 ** 24 + (at(2) << 16) + (at(3) << 8) + at(4);
}

function frameOf(kind: string, payload: ByteText): Frame {
  switch (kind) {
    case 'p':
      return { kind, purpose: JSON.parse(decodeUtf8(payload)) as Purpose };
    case 'w':
      return { kind, word: JSON.parse(decodeUtf8(payload)) as Word };
    case 'r':
      return { kind, size: JSON.parse(payload) as TerminalSize };
    case 'i':
    case 'c':
    case 'o':
    case 'e':
      return { kind, bytes: payload };
    default:
      throw new Error(`no frame is of kind ${JSON.stringify(kind)}`);
  }
}
