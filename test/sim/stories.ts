import { podStory } from './pod/story.ts';
import { rolloutStory } from './rollout/story.ts';
import { snapshotStory } from './snapshot/story.ts';
import type { StoryRule } from './story.ts';

/** Keyed by lifecycle; one without rules uses the common ones. */
export const stories: Readonly<Record<string, readonly StoryRule[]>> = {
  pod: podStory,
  rollout: rolloutStory,
  snapshot: snapshotStory,
};
