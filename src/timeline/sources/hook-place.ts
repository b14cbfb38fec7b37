import type { Bar } from '../bar.ts';

/**
 * The lane and the point of a pipeline hook, by its address. Worked examples:
 *   build/web/after/0             lane "build/web",           point "build after"
 *   shop:deploy/kubectl/before/1  lane "shop:deploy/kubectl", point "deploy before"
 *   cleanup/finally/0             lane "cleanup",             point "cleanup finally"
 */
export function hookPlace(address: string): Pick<Bar, 'lane' | 'point'> {
  const found = /^((?:[^/]*:)?(\w+)(?:\/.+)?)\/(before|after|onError|finally)\/\d+$/.exec(address);
  const [, lane, phase, when] = found ?? [];
  if (lane === undefined) return { lane: address, point: 'hook' };
  return { lane, point: `${phase} ${when}` };
}
