import type { StoryRule } from '../story.ts';

export const rolloutStory: readonly StoryRule[] = [
  {
    pattern:
      /^server: \w+ deploymentlifecycles \S+ \d+( \(going\))? rollout (\d+) (\S+) (.*); released .*$/,
    who: 'status',
    text: 'rollout $2: $3 $4$1',
  },
  {
    pattern:
      /^server: \w+ deployments \S+ \d+( \(going\))? (\S*) (?:labelled)? ?r(\S+) l(\S+) w(\S+) n(\S+)( paused)? ?.*$/,
    who: 'status',
    text: 'Deployment: template $2, rollout $3, released $4, $6 replicas$7$1',
  },
  {
    pattern: /^server: \w+ hookruns (\S+) \d+ ((?!undefined)\w+) .*$/,
    who: 'status',
    text: 'HookRun $1: $2',
  },
  {
    pattern: /^a user: (\w+); (\d+) are wanted$/,
    who: 'user',
    text: 'sends $1 for the Deployment; $2 replicas are wanted',
  },
  { pattern: /^server: Delete (\w+) (\S+) .*$/, who: 'server', text: '$1 $2 is deleted' },
  {
    pattern: /^server: Upsert (\w+) (\S+) \d+ \(going\).*$/,
    who: 'server',
    text: '$1 $2: deletion asked for',
  },
  { pattern: /^event: \w+ (\w+): (.*)$/, who: 'controller', text: '$1, $2' },
  { pattern: /^a container of (\S+) (.*)$/, who: 'node', text: 'a container of pod $1 $2' },
  {
    pattern: /^workloads: (create|delete) (pods|replicasets)\S* \S+?\/(\S*)$/,
    who: 'workloads',
    text: 'the controllers of Kubernetes send $1 $2 $3',
  },
  {
    pattern: /^(\S+): (create|delete) (pods|hookruns)\S* \S+?\/(\S*)$/,
    who: 'controller',
    text: '$1 sends $2 $3 $4',
  },
  { pattern: /^(the webhook is down .*|\S+ is evicted)$/, who: 'fault', text: '$1' },
];
