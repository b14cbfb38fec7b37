import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeRandomness } from '../../platform/node-randomness.ts';
import { linkPath } from '../../timeline/access.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 16;

/** What opens a timeline: whoever has it can make links. */
export function newKey(): string {
  return nodeRandomness.hex(KEY_BYTES);
}

/** The whole address of a link that is good once. */
export function newLink(url: string, key: string): string {
  const nonce = nodeRandomness.hex(NONCE_BYTES);
  return `${url}${linkPath(key, { nonce, nowMs: nodePlatform.clock.nowMs() })}`;
}
