import type { StoryRule } from '../story.ts';

export const snapshotStory: readonly StoryRule[] = [
  {
    pattern: /^(\S+): (freeze|thaw|probe) (\S+) in (\S+)$/,
    who: 'controller',
    text: '$1 sends $2 $3 to $4',
  },
  {
    pattern: /^the session helper: (\w+) (\S+) in (\S+)$/,
    who: 'session',
    text: 'session helper in $3 sends $1 $2',
  },
  { pattern: /^the session helper thaws: (.*)$/, who: 'session', text: 'session helper thaws: $1' },
  {
    pattern: /^(\S+) \(\S+\) is frozen by (\S+)$/,
    who: 'application',
    text: '$1 is frozen by $2',
  },
  {
    pattern: /^(\S+) \(\S+\) is not frozen any more: (.*)$/,
    who: 'application',
    text: '$1 is no longer frozen, $2',
  },
  {
    pattern: /^the cut of (\S+) for \S+ (begins|ends)$/,
    who: 'storage',
    text: 'the snapshot of $1 $2',
  },
  { pattern: /^verdict on (.*)$/, who: 'controller', text: 'verdict on $1' },
  { pattern: /^(statuses of hooks are refused .*)$/, who: 'fault', text: '$1' },
  { pattern: /^(template \S+ is created .*)$/, who: 'fault', text: '$1' },
  {
    pattern: /^(\S+): (create|delete) (executionhook|volume\w*snapshot)s\S* ns\/(\S+)$/,
    who: 'controller',
    text: '$1 sends $2 $3 $4',
  },
];
