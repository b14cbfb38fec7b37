/**
 * Validates the configuration that a precreate hook prints: one JSON object with the
 * fields that the specification requires of each container that is started. The runtime judges their values.
 */
import type { ByteText } from '../../../platform/platform.ts';
import { isObject, readConfig, type ConfigObject } from './config-text.ts';

/** The error, as a sentence; null: the configuration is valid. */
export function wrongInContainerConfig(text: ByteText): string | null {
  const reading = readConfig(text);
  if (reading.kind === 'refused') return reading.problem.message;
  const missing = required.filter(({ isIn }) => !isIn(reading.config));
  if (missing.length === 0) return null;
  const fields = missing.map(({ field }) => field).join(', ');
  return `It printed a JSON object that is no OCI configuration; missing: ${fields}.`;
}

interface RequiredField {
  readonly field: string;
  readonly isIn: (config: ConfigObject) => boolean;
}

const required: readonly RequiredField[] = [
  { field: 'ociVersion (text)', isIn: ({ ociVersion }) => isText(ociVersion) },
  { field: 'root.path (text)', isIn: ({ root }) => isObject(root) && isText(root['path']) },
  { field: 'process (object)', isIn: ({ process }) => isObject(process) },
];

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
