// Who may import whom. A folder names what of ours it may reach, and everything else of ours is forbidden to it.
// CONTRIBUTING.md says it in words, without the details.

const ours = '^(src|api|activities|workflows|web|clients|scripts|lab|test)/'

/**
 * @param {string} name
 * @param {string} from the folder
 * @param {string[]} allowed what it may import of ours
 * @param {{ except?: string, typesFrom?: string[] }} [options] files of the folder with a rule of their own; what it may import as types only
 */
function folder(name, from, allowed, { except, typesFrom = [] } = {}) {
  const importer = { path: from, ...(except ? { pathNot: except } : {}) }
  const rules = [
    {
      name: `${name}-imports`,
      comment: `${name} may import: ${allowed.join(' ')}`,
      severity: 'error',
      from: importer,
      to: { path: ours, pathNot: [...allowed, ...typesFrom] },
    },
  ]
  if (typesFrom.length > 0) {
    rules.push({
      name: `${name}-imports-types-only`,
      comment: `${name} may import from ${typesFrom.join(' ')} with "import type" only`,
      severity: 'error',
      from: importer,
      to: { path: typesFrom, dependencyTypesNot: ['type-only'] },
    })
  }
  return rules
}

// What endpoints run: the run.ts and parts.ts of each, and what detections and clips share.
const endpointRun = '^src/endpoints/([^/]+/(run|parts)|run-detection|run-clip)\\.ts$'
// Sockets and servers of their own.
const requester =
  '^(src/net/|src/media/tools/|(src/(media/source/source-server|telemetry/metrics-server)|activities/worker/sdk-metrics|api/http/errors)\\.ts)'
const piece = '^src/media/obtain-piece\\.ts$'
const analyses = '^src/media/track-analyses\\.ts$'
// fluent-ffmpeg spawns by itself.
const spawner = '^src/(media/tools/(spawn|launcher|fluent-command)|models/start-inference)\\.ts$'

const rooms = [
  ...folder('core', '^src/core/', ['^src/core/']),
  ...folder('endpoints', '^src/endpoints/', ['^src/(core|endpoints)/'], {
    except: endpointRun,
    typesFrom: ['^src/(media|models)/'],
  }),
  ...folder('endpoint-runs', endpointRun, ['^src/(core|endpoints|media|models)/']),
  ...folder('exports', '^src/exports/', ['^src/(core|exports)/']),
  ...folder('chains', '^src/chains/', ['^src/(core|endpoints|chains)/'], { typesFrom: ['^src/models/'] }),
  ...folder('net', '^src/net/', ['^src/(core|net)/']),
  ...folder('models', '^src/models/', ['^src/(core|models)/']),
  // Crafts: each may import those named and its own folder.
  ...folder('media-tools', '^src/media/tools/', ['^src/core/', '^src/media/tools/']),
  ...folder('media-source', '^src/media/source/', ['^src/(core|net)/', '^src/media/source/']),
  ...folder('media-captions', '^src/media/captions/', ['^src/core/', '^src/media/captions/']),
  ...folder('media-inspect', '^src/media/inspect/', ['^src/core/', '^src/media/(source|inspect)/']),
  ...folder('media-pieces', piece, ['^src/core/']),
  ...folder('media-sound', '^src/media/sound/', ['^src/core/', '^src/media/(source|inspect|sound)/', piece]),
  ...folder('media-analyses', analyses, ['^src/core/', '^src/media/(source|sound)/'], {
    typesFrom: ['^src/models/'],
  }),
  ...folder('media-speech', '^src/media/speech/', [
    '^src/(core|models)/',
    '^src/media/(source|inspect|sound|speech)/',
    analyses,
  ]),
  ...folder('media-frames', '^src/media/frames/', [
    '^src/(core|models)/',
    '^src/media/(source|inspect|sound|frames)/',
    analyses,
  ]),
  ...folder('media-edges', '^src/media/choose-edges\\.ts$', [
    '^src/core/',
    '^src/media/(source|inspect|sound|speech)/',
  ]),
  ...folder('media-clip', '^src/media/clip/', [
    '^src/core/',
    '^src/media/(source|inspect|sound|captions|clip)/',
    piece,
  ]),
  ...folder('media-copying', '^src/media/copying/', ['^src/core/', '^src/media/(inspect|clip|copying)/', piece]),
  ...folder('variables', '^src/variables\\.ts$', ['^src/core/', '^src/accounts/oauth-clients\\.ts$']),
  ...folder('config', '^src/config\\.ts$', ['^src/core/', '^src/variables\\.ts$']),
  ...folder('db', '^src/db/', ['^src/(core|db)/', '^src/config\\.ts$']),
  ...folder('telemetry', '^src/telemetry/', ['^src/(core|db|jobs|telemetry)/', '^src/config\\.ts$']),
  ...folder('watchdog', '^src/watchdog/', ['^src/(core|watchdog)/']),
  ...folder('storage', '^src/storage/', ['^src/(core|storage)/', '^src/config\\.ts$']),
  ...folder('temporal', '^src/temporal/', ['^src/(core|telemetry|temporal)/', '^src/config\\.ts$']),
  ...folder('commands', '^src/commands/', ['^src/(?!media/|models/|endpoints/|storage/|net/)']),
  ...folder('mail', '^src/mail/', ['^src/(core|db|mail)/', '^src/config\\.ts$']),
  ...folder('billing', '^src/billing/', ['^src/(core|db|accounts|mail|billing)/', '^src/config\\.ts$'], {
    typesFrom: ['^src/jobs/'],
  }),
  ...folder(
    'accounts',
    '^src/accounts/',
    ['^src/(core|db|mail|billing|batches|jobs|uploads|webhooks|shares|accounts)/', '^src/config\\.ts$'],
    {
      typesFrom: ['^src/(storage|telemetry|temporal)/'],
    },
  ),
  ...folder('webhooks', '^src/webhooks/', ['^src/(core|db|net|mail|accounts|webhooks)/'], {
    typesFrom: ['^src/temporal/'],
  }),
  ...folder('batches', '^src/batches/', [
    '^src/(core|db|accounts|billing|chains|endpoints|jobs|webhooks|batches)/',
    '^src/config\\.ts$',
  ]),
  ...folder('shares', '^src/shares/', ['^src/(core|db|accounts|shares)/']),
  ...folder('brands', '^src/brands/', ['^src/(core|db|accounts|uploads|brands)/']),
  ...folder('uploads', '^src/uploads/', [
    '^src/(core|db|accounts|batches|jobs|uploads|webhooks)/',
    '^src/config\\.ts$',
  ]),
  ...folder(
    'jobs',
    '^src/jobs/',
    ['^src/(core|db|telemetry|billing|accounts|uploads|webhooks|jobs)/', '^src/net/target-policy\\.ts$'],
    {
      typesFrom: ['^src/(temporal|storage)/', '^src/config\\.ts$'],
    },
  ),
  ...folder(
    'workflows',
    '^workflows/',
    ['^src/core/', '^src/(temporal/names|telemetry/trace-parent)\\.ts$', '^workflows/'],
    { typesFrom: ['^activities/'] },
  ),
  ...folder('activities', '^activities/', ['^src/', '^activities/'], { typesFrom: ['^workflows/'] }),
  ...folder(
    'api',
    '^api/',
    [
      '^src/(?!media/|net/)',
      '^src/net/send-request\\.ts$',
      // What is kept of sound, which a page draws and searches again.
      '^src/media/sound/(envelope|envelope-cache|waveform-tiles)\\.ts$',
      '^api/',
    ],
    { typesFrom: ['^workflows/'] },
  ),
  // Folders of the API: each may import the rooms named, never back. The list of routes and the app are above all of them.
  ...Object.entries({
    http: [],
    health: ['http'],
    account: ['http'],
    uploads: ['http'],
    catalog: ['http', 'uploads'],
    dashboard: ['http'],
    docs: ['http', 'catalog'],
    jobs: ['http', 'catalog'],
    runs: ['http', 'jobs'],
    exports: ['http', 'jobs', 'runs'],
    oauth: ['http', 'account'],
    webhooks: ['http'],
    stream: ['http'],
    batches: ['http', 'jobs', 'runs'],
    brands: ['http'],
    shares: ['http', 'jobs', 'runs', 'exports'],
    mcp: ['http', 'account', 'uploads', 'catalog', 'jobs', 'runs', 'exports', 'webhooks', 'shares'],
  }).flatMap(([room, below]) =>
    folder(`api-${room}`, `^api/${room}/`, ['^src/', `^api/(${[room, ...below].join('|')})/`]),
  ),
  // Programs of browsers and of users: they know the API by its document only.
  ...folder('web', '^web/src/', ['^web/src/']),
  ...folder('clients', '^clients/', ['^clients/']),
  ...folder('api-routes', '^api/routes\\.ts$', ['^api/[^/]+/']),
]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'every-file-has-a-rule',
      comment: 'name a new folder of src, and what it may import, in rooms',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: rooms.map(({ from }) => from.path) },
    },
    {
      name: 'activities-worker-imports',
      comment: 'upkeep may use what runs activities, never the other way',
      severity: 'error',
      from: { path: '^activities/worker/' },
      to: { path: '^activities/upkeep/' },
    },
    {
      name: 'ledger-is-written-by-billing-and-jobs',
      comment: 'money moves in the statement that accepts or ends a job, or in src/billing',
      severity: 'error',
      from: { path: '^(src|api|activities|workflows)/', pathNot: '^src/(billing/|jobs/(accept|settle-job)\\.ts$)' },
      to: { path: '^src/billing/ledger\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'one-client-requests',
      comment:
        'addresses of users are requested by src/net/send-request.ts, which checks them; the others serve or listen',
      severity: 'error',
      from: {
        path: '^(src|api|activities|workflows)/',
        pathNot: requester,
      },
      to: { path: '^(node:)?(https?|http2|net|tls|dgram)$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-use-temporal-only',
      comment: 'workflow code runs in a sandbox: no Node modules, and of packages only @temporalio/workflow',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: ['^[^.]+$', 'node_modules/'], pathNot: ['node_modules/@temporalio/workflow/', ours] },
    },
    {
      name: 'endpoint-declarations-are-pure',
      comment: 'only what endpoints run touches the world',
      severity: 'error',
      from: { path: '^src/endpoints/', pathNot: endpointRun },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?path$' },
    },
    {
      name: 'endpoint-runs-are-lazy',
      comment:
        'import() run.ts and parts.ts from the declaration of the same folder, so that a catalog loads no implementation',
      severity: 'error',
      from: { path: '^(src|api|activities|workflows|scripts)/', pathNot: endpointRun },
      to: { path: endpointRun, dynamic: false },
    },
    {
      name: 'one-file-spawns',
      comment:
        'only src/media/tools/launcher.ts starts tools, or spawn.ts where there is no launcher, and src/models/start-inference.ts the processes that run models; fluent-command.ts builds arguments',
      severity: 'error',
      from: { path: '^(src|api|activities|workflows)/', pathNot: spawner },
      to: {
        path: ['^(node:)?child_process$', 'node_modules/(@types/)?fluent-ffmpeg/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tests-are-for-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-circular',
      comment:
        'cycles of types are no cycles when the code runs: an implementation may name the types of its declaration',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'nothing imports it and it imports nothing of ours',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.m?ts$', '^[^/]+\\.(ts|cjs)$', '^(scripts|test)/'] },
      to: {},
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-packages-in-production',
      comment: 'an optional peer is asked for with import(), and nothing breaks without it',
      severity: 'error',
      from: { path: '^(src|api|activities|workflows)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer'] },
    },
  ],
  options: {
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '^((src/db|web/src/api)/generated|dist|coverage|\\.data|\\.tools)/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
