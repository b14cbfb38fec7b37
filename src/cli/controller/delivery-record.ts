/** The delivered notifications in a ConfigMap of the controllers' namespace, which the next leader reads. */
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { configMaps } from '../../kube/resources.ts';
import type { DeliveryRecord } from '../../observe/notifications/notifier.ts';
import type { DeliveredFacts } from '../../observe/notifications/reported-facts.ts';
import { NOTIFICATIONS } from '../install/install-options.ts';

const KEY = 'delivered.json';
/** A stop of the program waits for the last write. */
const LIMIT = { timeoutMs: 2_000 };

/** Only the leader writes it. If two do for a moment, receivers get a repetition. */
export function deliveryRecord(client: KubeClient, namespace: string): DeliveryRecord {
  const key = { namespace, name: NOTIFICATIONS };
  return {
    load: async () => {
      const found = await getOrNull(client, configMaps, key);
      return deliveredIn(found?.data?.[KEY]);
    },
    save: async (facts) => {
      const data = { [KEY]: JSON.stringify(facts) };
      const found = await getOrNull(client, configMaps, key);
      if (found === null) await client.create(configMaps, { metadata: { ...key }, data }, LIMIT);
      else await client.replace(configMaps, { ...found, data }, LIMIT);
    },
  };
}

/** null: there is none, or not one of ours. */
function deliveredIn(text: string | undefined): DeliveredFacts | null {
  try {
    const { ids, open } = JSON.parse(text ?? '') as {
      readonly ids?: unknown;
      readonly open?: unknown;
    };
    if (!Array.isArray(ids) || typeof open !== 'object' || open === null) return null;
    return { ids: ids.filter(isText), open: onlyTexts(open) };
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function onlyTexts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => isText(entry[1])),
  );
}
