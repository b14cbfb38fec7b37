/** Explains why an address cannot be listened on: the option that named it, the likely owner, and a next step. */
import { LifehookError } from '../model/problem.ts';
import { codeOf } from '../platform/posix-error.ts';
import type { ListenAddress } from './controller/listen-address.ts';

export interface Wanted {
  /** The option of the address: "--metrics-address". */
  readonly option: string;
  readonly address: ListenAddress;
  /** The code of the error if the address cannot be listened on. */
  readonly code: 'LHG016' | 'LHK108';
  /** The process that most often owns the port: "another `lifehook ui`". */
  readonly rival: string;
}

/** Rejects with `wanted.code` if the address cannot be listened on. */
export async function sayWhere<T>(wanted: Wanted, listening: Promise<T>): Promise<T> {
  const { option, address, rival } = wanted;
  const { host, port } = address;
  try {
    return await listening;
  } catch (error) {
    const code = codeOf(error);
    if (!isOfListening(error) || code === null) throw error;
    const { why, next } = whyNot(code, port, rival);
    const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const message = `Cannot listen on ${at} (${option}): ${why}.`;
    const problem = { code: wanted.code, severity: 'error', message, next } as const;
    throw new LifehookError(problem, { cause: error });
  }
}

/** Other failures with the same codes are about files and connections. */
function isOfListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

interface Refusal {
  readonly why: string;
  readonly next: string;
}

function whyNot(code: string, port: number, rival: string): Refusal {
  switch (code) {
    case 'EADDRINUSE':
      return {
        why: `another process holds the port ${port}, perhaps ${rival}`,
        next: `see who it is with \`ss -ltnp 'sport = :${port}'\` and stop it, or give another port; 0 is any that is free.`,
      };
    case 'EACCES':
      return {
        why: `this user may not open the port ${port}`,
        next: 'give a port above 1023.',
      };
    case 'EADDRNOTAVAIL':
      return {
        why: 'this machine has no such address',
        next: 'give one of its own (`ip addr`), 127.0.0.1, or 0.0.0.0 for all.',
      };
    default:
      return { why: `the operating system refused with ${code}`, next: 'give another address.' };
  }
}
