import { expect, it } from 'vitest'
import { parseAccept } from '../parse/accept.ts'
import { negotiate, type Produces } from './media-type.ts'

const choose = (accept: string | undefined, produces: Produces = {}) => negotiate(parseAccept(accept), produces)

it('chooses the first media type it has, by quality', () => {
  expect(choose(undefined).format).toBe('json')
  expect(choose('text/csv;q=0.5, application/json').format).toBe('json')
  expect(choose('image/png, text/csv').format).toBe('csv')
  expect(choose('application/vnd.pgrst.object+json;nulls=stripped')).toMatchObject({ format: 'object', strip: true })
  expect(choose('text/plain', { scalar: 'text' }).format).toBe('text')
  expect(() => choose('text/plain')).toThrow(expect.objectContaining({ status: 406 }))
})

it('chooses the format of the requested plan', () => {
  const accept = (planned: string) => `application/vnd.pgrst.plan+json; for="${planned}"; options=analyze|x`
  expect(choose(accept('text/csv'), { plan: true })).toMatchObject({
    format: 'csv',
    plan: { format: 'json', options: ['analyze'] },
  })
  expect(() => choose(accept('text/csv'))).toThrow(expect.objectContaining({ status: 406 }))
  expect(() => choose(accept('application/vnd.pgrst.plan'), { plan: true })).toThrow()
})
