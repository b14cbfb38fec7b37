/** `lifehook-launch`: starts programs for Lifehook under Node, since a fork of Node itself is slow. */
import { serveLaunches } from './quickjs-launching.ts';

export function main(): void {
  serveLaunches();
}
