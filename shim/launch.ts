/** `lifehook-launch`: starts programs for a Lifehook under Node, whose memory makes every fork slow. */
import { serveLaunches } from './quickjs-launching.ts';

export function main(): void {
  serveLaunches();
}
