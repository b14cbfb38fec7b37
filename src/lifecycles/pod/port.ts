import type { Container } from 'kubernetes-types/core/v1.js';

const PORT_MAX = 65_535;

/** Resolves a number, a number as text, or a port name of the container; on failure, returns the reason (POD-K18). */
export function resolvePort(
  port: number | string,
  { name, ports = [] }: Container,
): number | string {
  const number = typeof port === 'number' || /^\d+$/.test(port) ? Number(port) : null;
  if (number !== null) {
    return number >= 1 && number <= PORT_MAX ? number : `invalid port number: ${number}`;
  }
  const named = ports.find((candidate) => candidate.name === port);
  if (named !== undefined) return named.containerPort;
  const known = ports.flatMap((candidate) => candidate.name ?? []);
  const list = known.length === 0 ? 'it names none' : `it names ${known.join(', ')}`;
  return `couldn't find port "${port}" in container ${name}: ${list}`;
}
