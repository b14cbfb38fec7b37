/**
 * Sequences of writes by several managers, played on the real server and by our functions. They leave out
 * what the test cluster's 1.20 does otherwise than the versions that we follow: who owns an empty object,
 * types that have one owner since (references, selectors) or several (objects in fields that a schema lets
 * through), the order of items in applied lists, parts left empty, which it makes null, and that an owner
 * sometimes gets back what it had lost.
 */
import { configMapStories } from './apply-config-maps.ts';
import { exampleStories } from './apply-examples.ts';
import type { Script, Story } from './apply-steps.ts';
import { deploymentStories, podStories, serviceStories } from './apply-workloads.ts';

function scripts(kind: Script['kind'], stories: readonly Story[]): Script[] {
  return stories.map(([title, ...steps]) => ({ title, kind, steps }));
}

export const SCRIPTS: readonly Script[] = [
  ...scripts('ConfigMap', configMapStories),
  ...scripts('Deployment', deploymentStories),
  ...scripts('Service', serviceStories),
  ...scripts('Pod', podStories),
  ...scripts('Example', exampleStories),
];
