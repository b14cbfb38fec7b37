/** examples/rollouts on the real cluster: images of Debian's packages, and `lifehook controller` beside it. */
import { story } from '../fixtures/rollout-migration/story.ts';
import { tellStory } from '../fixtures/rollout-migration/tell-story.ts';
import { openRealMigration } from './rollout-migration-cluster.ts';

tellStory('migrations on the real cluster', story, openRealMigration);
