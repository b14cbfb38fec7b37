import type { StoryRule } from '../story.ts';

export const rolloutStory: readonly StoryRule[] = [
  {
    pattern:
      /^server: \w+ deploymentlifecycles \S+ \d+( \(going\))? rollout (\d+) (\S+) (.*); released .*$/,
    who: 'status',
    tells: 'rollout $2: $3 $4$1',
  },
  {
    pattern:
      /^server: \w+ deployments \S+ \d+( \(going\))? (\S*) (?:labelled)? ?r(\S+) l(\S+) w(\S+) n(\S+)( paused)? ?.*$/,
    who: 'status',
    tells: 'Deployment: template $2, rollout $3, released $4, $6 replicas$7$1',
  },
  {
    pattern: /^server: \w+ hookruns (\S+) \d+ ((?!undefined)\w+) .*$/,
    who: 'status',
    tells: 'HookRun $1: $2',
  },
  {
    pattern: /^somebody: (\w+); (\d+) are wanted$/,
    who: 'user',
    tells: 'sends $1 for the Deployment; $2 replicas are wanted',
  },
  { pattern: /^server: Delete (\w+) (\S+) .*$/, who: 'server', tells: '$1 $2 is deleted' },
  {
    pattern: /^server: Upsert (\w+) (\S+) \d+ \(going\).*$/,
    who: 'server',
    tells: '$1 $2: deletion asked for',
  },
  { pattern: /^told: \w+ (\w+): (.*)$/, who: 'controller', tells: '$1, $2' },
  { pattern: /^a container of (\S+) (.*)$/, who: 'node', tells: 'a container of pod $1 $2' },
  {
    pattern: /^workloads: (create|delete) (pods|replicasets)\S* \S+?\/(\S*)$/,
    who: 'workloads',
    tells: 'the controllers of Kubernetes send $1 $2 $3',
  },
  {
    pattern: /^(\S+): (create|delete) (pods|hookruns)\S* \S+?\/(\S*)$/,
    who: 'controller',
    tells: '$1 sends $2 $3 $4',
  },
  { pattern: /^(the webhook is down .*|\S+ is evicted)$/, who: 'fault', tells: '$1' },
];
