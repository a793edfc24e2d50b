import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from '../scripts/main.ts'
import { runToEnd, type ToolCommand } from '../scripts/stack/run-to-end.ts'
import { endpoints } from '../src/endpoints/catalog.ts'
import { withFolder } from './lab-stack.ts'

/** Generators of clients that people use, at the versions that were tried. */
const python = ['openapi-python-client==0.29.1', 'datamodel-code-generator==0.89.0', 'ruff==0.17.6']
const node = ['@hey-api/openapi-ts@0.95.0', 'openapi-typescript@7.13.0', 'typescript@5.9.3']

/**
 * `npm run lab -- generators`: makes clients of docs/openapi.json with the generators that people use. None may warn, and the type that
 * the Python client has for a job must be that of its endpoint.
 */
export const generatorsCommand: Command = async ({ root, env, say }) =>
  withFolder(async (folder) => {
    const openApi = path.join(root, 'docs', 'openapi.json')
    const run = (...command: ToolCommand) => runToEnd(command, { cwd: folder, env })
    await run('python3', '-m', 'venv', 'venv')
    const bin = (name: string) => path.join(folder, 'venv', 'bin', name)
    const variables = { ...env, PATH: `${path.join(folder, 'venv', 'bin')}:${env['PATH'] ?? ''}` }
    await run(bin('pip'), 'install', '--quiet', ...python)
    await run('npm', 'install', '--prefix', folder, '--silent', '--no-audit', '--no-fund', ...node)

    const made = [
      'openapi-python-client',
      'generate',
      '--path',
      openApi,
      '--output-path',
      'python',
      '--fail-on-warning',
    ]
    say(await runToEnd([bin(made[0] ?? ''), ...made.slice(1)], { cwd: folder, env: variables }))
    await run(bin('datamodel-codegen'), '--input', openApi, '--output', 'models.py', '--formatters', 'builtin')
    await run(bin('python'), 'models.py')
    await run('npx', 'openapi-typescript', openApi, '-o', 'types.ts')
    await run('npx', 'openapi-ts', '-i', openApi, '-o', 'hey')

    await writeFile(path.join(folder, 'decode.py'), decodeEach)
    const decoded = await run(bin('python'), 'decode.py', ...endpoints.map(({ id }) => id))
    say(decoded)
    const wrong = endpoints.filter(({ id }) => !decoded.includes(`${id} ${id.replace(/[/-]/g, '')}job`))
    return wrong.length === 0 ? 0 : 1
  })

/** Decodes a job of each endpoint as `get_job` does, and prints the name of its type. */
const decodeEach = `
import importlib, os, sys
sys.path.insert(0, "python")
package = next(name for name in os.listdir("python") if os.path.isdir(f"python/{name}"))
envelope = importlib.import_module(f"{package}.models").JobEnvelope
for endpoint in sys.argv[1:]:
    job = dict(id="job_1", endpoint=endpoint, status="queued", progress=0, warnings=[], created_at="2026-11-28T00:00:00.000Z")
    found = envelope.from_dict(dict(request_id="req_1", job_id="job_1", job=job))
    print(endpoint, type(found.job).__name__.lower())
`
