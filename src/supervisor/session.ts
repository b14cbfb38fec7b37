/**
 * The contract of one session on a supervisor's connection, and the transfer of its bytes.
 * Also runs natively: uses nothing that QuickJS lacks.
 */
import type { Channel } from '../platform/supervisor-host.ts';
import { bytesFrame, type Frame, type Word } from './frames.ts';
import type { Input } from './input.ts';
import type { Listener } from './outputs.ts';

/** Handles the frames of a connection after its purpose. */
export interface Session {
  onFrame(frame: Frame): void;
  onDrain(): void;
  onClose(): void;
}

export const quiet: Session = {
  onFrame: () => undefined,
  onDrain: () => undefined,
  onClose: () => undefined,
};

export type Say = (word: Word) => void;

export function listenerOf(connection: Channel): Listener {
  return (stream, bytes) => connection.write(bytesFrame(stream === 'stdout' ? 'o' : 'e', bytes));
}

export function pass(
  input: Input,
  say: Say,
  { frame, ends }: { readonly frame: Frame; readonly ends: boolean },
): void {
  if (frame.kind === 'c' && ends) input.finish();
  if (frame.kind !== 'i') return;
  input.write(frame.bytes, () => {
    say({ kind: 'taken' });
  });
}
