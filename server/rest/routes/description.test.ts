import { describe, expect, it } from 'vitest'
import { openLibrary } from '../testing/library.ts'

describe('the description of the API', () => {
  const modes = [
    ['everyone', 200, 200, 200],
    ['service', 401, 403, 200],
    ['disabled', 404, 404, 404],
  ] as const
  it.each(modes)('with API_OPENAPI=%s', async (mode, visitor, reader, service) => {
    const other = await openLibrary({ API_OPENAPI: mode })
    const { serviceRoleKey } = other.gateway.secrets
    const tokens = [undefined, other.readerToken, serviceRoleKey]
    const statuses: number[] = []
    for (const token of tokens) {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      statuses.push((await other.fetch('/', { headers })).status)
    }
    await other.close()
    expect(statuses).toEqual([visitor, reader, service])
  })
})
