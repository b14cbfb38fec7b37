import type { StoryRule } from '../story.ts';

const WARNINGS =
  'FailedPostStartHook|FailedPreStopHook|Unhealthy|BackOff|Failed|FailedMount|DeadlineExceeded';

export const podStory: readonly StoryRule[] = [
  { pattern: /^deleted with (\S+) s$/, who: 'user', text: 'deletes the pod, grace period $1 s' },
  { pattern: /^the node's program begins, (\d+)$/, who: 'node', text: 'node program $1 starts' },
  {
    pattern: /^the node's program is killed for (.*)$/,
    who: 'fault',
    text: 'node program: killed, down for $1',
  },
  { pattern: /^a record fails$/, who: 'fault', text: 'record of a hook: cannot be written' },
  { pattern: /^(webhook|disk|reference|namespace): (.*)$/, who: 'fault', text: '$1: $2' },
  { pattern: /^(\S+) cannot be started$/, who: 'runtime', text: '$1: cannot be started' },
  { pattern: /^(\S+) started$/, who: 'runtime', text: '$1: starts' },
  { pattern: /^(\S+) ended$/, who: 'runtime', text: '$1: exits' },
  { pattern: /^(\S+) removed$/, who: 'runtime', text: '$1: its run is removed' },
  { pattern: /^(\S+) (TERM|KILL)$/, who: 'node', text: '$1: gets $2' },
  { pattern: /^(\S+) exec ((?:postStart|preStop).*)$/, who: 'node', text: '$1: runs $2' },
  { pattern: /^(\S+) is asked for (\S+) over HTTP$/, who: 'node', text: '$1: requests $2' },
  { pattern: /^(\S+) of (\S+) ends (\w+)$/, who: 'container', text: '$2: $1 ends $3' },
  {
    pattern: new RegExp(`^event (${WARNINGS}) (\\S*): (.*)$`),
    who: 'event',
    text: '$2: $1, $3',
  },
  { pattern: /^(\S+) is to stop$/, who: 'node', text: '$1: begins to stop' },
  { pattern: /^the pod is over$/, who: 'node', text: 'pod: no container runs any more' },
];
