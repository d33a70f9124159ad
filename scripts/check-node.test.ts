import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const { scripts, engines } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** What npm does with the `preinstall` of package.json. */
function install(agent: string) {
  const env = { PATH: process.env.PATH, npm_config_user_agent: agent }
  const { status, stderr } = spawnSync('sh', ['-c', scripts.preinstall], { cwd: root, env, encoding: 'utf8' })
  return { status, said: stderr.trim() }
}

describe('the check of Node at npm install', () => {
  it.each([
    ['npm/9.2.0 node/v18.20.4 linux x64 workspaces/false', 'Ovation needs Node 20.9 or newer', 'node/v18.20.4'],
    ['npm/10.2.0 node/v20.8.1 linux x64 workspaces/false', 'Ovation needs Node 20.9 or newer', 'node/v20.8.1'],
    ['npm/9.9.3 node/v20.11.0 linux x64 workspaces/false', 'Ovation needs npm 10.0 or newer', 'npm/9.9.3'],
  ])('stops for %s with one sentence', (agent, sentence, found) => {
    const { status, said } = install(agent)
    expect(status).toBe(1)
    expect(said).toContain(sentence)
    expect(said).toContain(found)
    expect(said.split('\n')).toHaveLength(1)
  })

  it.each([
    'npm/10.8.2 node/v20.9.0 linux x64 workspaces/false',
    'npm/11.19.1 node/v24.21.0 darwin arm64 workspaces/false',
    'pnpm/10.1.0 node/v22.1.0 linux x64',
  ])('lets %s install', (agent) => {
    expect(install(agent)).toEqual({ status: 0, said: '' })
  })

  it('agrees with the versions that package.json and README.md name', () => {
    expect(engines).toEqual({ node: '>=20.9', npm: '>=10' })
    expect(readFileSync(`${root}README.md`, 'utf8')).toContain('Node 20.9 and npm 10, or newer')
  })
})
