import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../http/errors.ts'
import { compileRequest } from './compile/statement.ts'
import { type ParsedRequest, parseRequest, type RestRequest } from './parse/request.ts'
import { resolveRequest } from './resolve/resolve.ts'
import { libraryCatalog } from './testing/catalog.ts'
import { hostileRequest, request, wellFormedRequest } from './testing/requests.ts'

const catalog = libraryCatalog()
const parse = (given: RestRequest) =>
  parseRequest(given, { schemas: ['library'], allowTransaction: true, timezones: new Set<string>() })
const compile = (parsed: ParsedRequest) =>
  compileRequest(resolveRequest(parsed, catalog, { maxRows: 1000, aggregates: true, plan: true }))

describe('any request', () => {
  it('is parsed, resolved, and compiled, or rejected with a 3xx or 4xx', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(hostileRequest, (given) => {
        try {
          const { text, parameters } = compile(parse(given))
          expect(text).not.toContain('\u0000')
          expect(new Set(text.match(/\$\d+/g)).size).toBeGreaterThanOrEqual(Math.min(parameters.length, 1))
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
          if (error instanceof GatewayError) {
            expect(error.status).toBeGreaterThanOrEqual(300)
            expect(error.status).toBeLessThan(500)
          }
        }
      }),
      { numRuns: Number(process.env.PROOF_REST_RUNS ?? 3_000) },
    )
  })
})

describe('a well-formed request', () => {
  it('keeps every value out of the text, and every parameter in it', () => {
    fc.assert(
      fc.property(wellFormedRequest, fc.string({ minLength: 1, unit: 'grapheme' }), ({ build }, suffix) => {
        const secret = `zqx${suffix.replace(/[^\p{L}0-9]/gu, '')}vvw`
        const parsed = parse(build(secret))
        const { text, parameters } = compile(parsed)
        expect(text).not.toContain('zqx')
        const places = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
        expect(new Set(places)).toEqual(new Set(parameters.map((_, index) => index + 1)))
        for (const reference of parameters) expect(parsed.values[reference]).toBeDefined()
      }),
      { numRuns: 2_000 },
    )
  })

  it('has one shape and one text whatever its values', () => {
    fc.assert(
      fc.property(wellFormedRequest, ({ build }) => {
        const one = parse(build('alpha'))
        const other = parse(build('a much longer value, "with" (all) {sorts} of \\signs'.replace(/[^a-z ]/g, '')))
        expect(one.shape).toBe(other.shape)
        expect(compile(one).text).toBe(compile(other).text)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('two requests of different meaning', () => {
  it.each([
    ['id=eq.1', 'id=gt.1'],
    ['id=eq.1', 'title=eq.1'],
    ['or=(id.eq.1,id.eq.2)', 'and=(id.eq.1,id.eq.2)'],
    ['id=in.(1)', 'id=eq.1'],
    ['id=is.null', 'id=is.not_null'],
    ['select=id', 'select=title'],
    ['limit=1', 'limit=2'],
    ['order=id', 'order=id.desc'],
    ['title=fts.a', 'title=fts(english).a'],
  ])('differ in shape: %s and %s', (one, other) => {
    expect(parse(request({ search: one })).shape).not.toBe(parse(request({ search: other })).shape)
  })
})
