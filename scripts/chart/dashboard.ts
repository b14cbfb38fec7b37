/**
 * The Grafana dashboard of the chart: one table of panels with their queries. The metric names are those of
 * docs/metrics.md.
 */

interface Panel {
  readonly title: string;
  readonly kind: 'stat' | 'timeseries';
  /** PromQL queries, by legend. */
  readonly queries: Readonly<Record<string, string>>;
  readonly unit?: 's' | 'none';
  /** True: a value of 1 or more is red. */
  readonly bad?: boolean;
}

/** The maximum, because every replica exposes the same stored state. (Only the leader counts events.) */
const one = (metric: string): string => `max(${metric}{$selection})`;
const rate = (metric: string, by: string): string =>
  `sum by (${by}) (rate(${metric}{$selection}[$__rate_interval]))`;
const p95 = (metric: string, by = ''): string => {
  const kept = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(0.95, ${rate(`${metric}_bucket`, kept)})`;
};

const ROWS: readonly (readonly Panel[])[] = [
  [
    stat('Frozen now', one('lifehook_frozen_targets')),
    { ...stat('Thaw overdue', one('lifehook_thaw_overdue')), bad: true },
    { ...stat('Thaw not proven', one('lifehook_thaw_unproven')), bad: true },
    { ...stat('Rollouts held', one('lifehook_rollout_held')), bad: true },
    {
      ...stat(
        'Gates not armed',
        'sum(max by (armed) (lifehook_rollout_gates{$selection,armed!="True"}))',
      ),
      bad: true,
    },
    stat('Leaders', 'sum(lifehook_leader{$selection})'),
  ],
  [
    series('Frozen containers', { frozen: one('lifehook_frozen_targets') }),
    series('Freeze, 95th percentile', { '{{by}}': p95('lifehook_freeze_seconds', 'by') }, 's'),
    series('Snapshot cut, 95th percentile', { cut: p95('lifehook_cut_seconds') }, 's'),
  ],
  [
    series('Snapshot hooks', {
      '{{action}} {{outcome}}': rate('lifehook_hook_attempt_seconds_count', 'action, outcome'),
    }),
    series('Verdicts', {
      '{{verdict}} {{reason}}': rate('lifehook_verdicts_total', 'verdict, reason'),
    }),
    series('Causes of thaws', { '{{cause}}': rate('lifehook_releases_total', 'cause') }),
  ],
  [
    series('Answers of guards', {
      '{{answer}} {{reason}}': rate('lifehook_guard_answers_total', 'answer, reason'),
    }),
    series('Windows of guards, and the snapshots that they admitted', {
      '{{reason}}': rate('lifehook_guard_windows_total', 'reason'),
      admitted: 'sum(rate(lifehook_guard_admitted_total{$selection}[$__rate_interval]))',
    }),
    series('Restores', {
      '{{outcome}} {{verification}}': rate('lifehook_restores_total', 'outcome, verification'),
    }),
    series(
      'Restore, 95th percentile',
      { '{{outcome}}': p95('lifehook_restore_seconds', 'outcome') },
      's',
    ),
    series(
      'Age of the last good snapshot, and the interval of its schedule',
      {
        '{{schedule_namespace}}/{{schedule}}':
          'time() - max by (schedule_namespace, schedule) (lifehook_schedule_last_good_timestamp_seconds{$selection})',
        'interval of {{schedule_namespace}}/{{schedule}}':
          'max by (schedule_namespace, schedule) (lifehook_schedule_interval_seconds{$selection})',
      },
      's',
    ),
    series('Scheduled snapshots in an hour', {
      '{{schedule}} {{result}}':
        'max by (schedule, result) (increase(lifehook_schedule_results_total{$selection}[1h]))',
      '{{schedule}} late':
        'max by (schedule) (increase(lifehook_schedule_late_total{$selection}[1h]))',
    }),
    series(
      'Age of the last good rehearsal, and the interval of the rehearsals',
      {
        '{{schedule_namespace}}/{{schedule}}':
          'time() - max by (schedule_namespace, schedule) (lifehook_schedule_last_good_rehearsal_timestamp_seconds{$selection})',
        'interval of {{schedule_namespace}}/{{schedule}}':
          'max by (schedule_namespace, schedule) (lifehook_schedule_rehearsal_interval_seconds{$selection})',
      },
      's',
    ),
    series('Rehearsals in an hour', {
      '{{schedule}} {{result}}':
        'max by (schedule, result) (increase(lifehook_schedule_rehearsals_total{$selection}[1h]))',
    }),
    series('Active and suspended schedules', {
      'active {{schedule}}': 'max by (schedule) (lifehook_schedule_active{$selection})',
      'suspended {{schedule}}': 'max by (schedule) (lifehook_schedule_suspended{$selection})',
    }),
  ],
  [
    series('Open rollouts', { '{{phase}}': 'max by (phase) (lifehook_rollout_open{$selection})' }),
    series('Ends of rollouts', { '{{end}}': rate('lifehook_rollouts_total', 'end') }),
    series('Rollout hooks', {
      '{{stage}} {{outcome}}': rate(
        'lifehook_rollout_hook_attempt_seconds_count',
        'stage, outcome',
      ),
    }),
    series('Gate bypasses', {
      bypasses: 'sum(increase(lifehook_rollout_gate_bypasses_total{$selection}[$__rate_interval]))',
    }),
  ],
  [
    series(
      'Reconciles, 95th percentile',
      { '{{controller}}': p95('lifehook_pass_seconds', 'controller') },
      's',
    ),
    series('Queues', {
      '{{controller}}': 'max by (controller) (lifehook_queue_depth{$selection})',
    }),
    series('Interrupted watches', {
      '{{resource}}': rate('lifehook_watch_interruptions_total', 'resource'),
    }),
    series('Attempts of hooks', {
      '{{lifecycle}} {{point}} {{outcome}}': rate(
        'lifehook_attempt_seconds_count',
        'lifecycle, point, outcome',
      ),
    }),
    series('Spans', { '{{outcome}}': rate('lifehook_trace_spans_total', 'outcome') }),
  ],
  [
    series('Notifications', { '{{outcome}}': rate('lifehook_notifications_total', 'outcome') }),
    series('Notifications that wait', { waiting: one('lifehook_notifications_waiting') }),
  ],
];

const COLUMNS = 24;
const HEIGHTS = { stat: 4, timeseries: 8 } as const;

function stat(title: string, query: string): Panel {
  return { title, kind: 'stat', queries: { '': query } };
}

function series(
  title: string,
  queries: Readonly<Record<string, string>>,
  unit: Panel['unit'] = 'none',
): Panel {
  return { title, kind: 'timeseries', queries, unit };
}

export function dashboard(): object {
  let y = 0;
  const panels = ROWS.flatMap((row, index) => {
    const w = COLUMNS / row.length;
    const h = HEIGHTS[row[0]?.kind ?? 'stat'];
    const made = row.map((panel, column) =>
      panelJson(panel, { id: index * COLUMNS + column + 1, gridPos: { x: column * w, y, w, h } }),
    );
    y += h;
    return made;
  });
  return {
    uid: 'lifehook',
    title: 'Lifehook',
    tags: ['lifehook'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [DATA_SOURCE, NAMESPACE] },
    panels,
  };
}

const SOURCE = { type: 'prometheus', uid: '${datasource}' };

const DATA_SOURCE = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
};

/**
 * The namespace of the installation. Metrics have no label for the namespaces of hooked pods: there may be thousands.
 */
const NAMESPACE = {
  name: 'namespace',
  label: 'Namespace',
  type: 'query',
  datasource: SOURCE,
  query: 'label_values(lifehook_leader, namespace)',
  includeAll: true,
  allValue: '.*',
  refresh: 2,
};

function panelJson(
  { title, kind, queries, unit = 'none', bad = false }: Panel,
  place: object,
): object {
  const steps = [{ color: 'green', value: null }, ...(bad ? [{ color: 'red', value: 1 }] : [])];
  const targets = Object.entries(queries).map(([legendFormat, query], index) => ({
    refId: `Q${index}`,
    datasource: SOURCE,
    expr: query.replaceAll('$selection', 'namespace=~"$namespace"'),
    legendFormat,
  }));
  const defaults = { unit, min: 0, thresholds: { mode: 'absolute', steps } };
  return {
    ...place,
    title,
    type: kind,
    datasource: SOURCE,
    fieldConfig: { defaults, overrides: [] },
    targets,
  };
}
