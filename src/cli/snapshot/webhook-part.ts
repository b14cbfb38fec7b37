/** The webhooks of snapshots: the rules of our kinds, the rights of their authors, and the guards. */
import { judgeAuthor } from '../../controller/admission/author.ts';
import { authorNeeds } from '../../lifecycles/snapshot/admission/author-needs.ts';
import { review } from '../../lifecycles/snapshot/admission/review.ts';
import {
  AUTHOR_PATH,
  GUARD_PATH,
  WEBHOOK_PATH,
  webhookConfiguration,
} from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import { guardJudge } from '../../lifecycles/snapshot/guard/guard-world.ts';
import { applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { KINDS_CONFIGURATION } from '../../lifecycles/snapshot/names.ts';
import { resolveRecipe } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import { snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { WebhookPart } from '../lifecycle-parts.ts';

export const snapshotWebhook: WebhookPart = {
  name: KINDS_CONFIGURATION,
  validating: (to) => webhookConfiguration({ name: KINDS_CONFIGURATION, ...to }),
  routes: ({ client, ask, report, cacheOf }) => ({
    [WEBHOOK_PATH]: (request) => review(request, resolveRecipe),
    [AUTHOR_PATH]: async (request, signal) => {
      const needs = await authorNeeds(request, { client, resolveRecipe }, signal);
      return judgeAuthor({ request, needs, ask }, signal);
    },
    [GUARD_PATH]: guardJudge({
      client,
      platform: nodePlatform,
      cache: cacheOf?.(applicationSnapshots),
      observe: (event) => report?.(snapshotEnvelope(event, nodePlatform.clock.nowMs())),
    }),
  }),
};
