/** `lifehook-launch`: starts programs for a Lifehook that runs under Node, since a fork of Node itself is slow. */
import { serveLaunches } from './quickjs-launching.ts';

export function main(): void {
  serveLaunches();
}
