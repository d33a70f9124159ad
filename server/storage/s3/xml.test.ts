import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { receiveXml } from './operation.ts'
import { readXml, writeXml } from './xml.ts'

describe('S3’s documents', () => {
  it('are read with any kind of escaping, and numbers stay text', () => {
    const text =
      '<?xml version="1.0"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Object><Key>0012</Key></Object>' +
      '<Object><Key>a &amp; b &#34;c&#34; &#x27;d&#x27; &lt;e&gt; ü</Key></Object><Quiet>true</Quiet></Delete>'
    expect(readXml(text, 'Delete')).toEqual({
      Object: [{ Key: '0012' }, { Key: `a & b "c" 'd' <e> ü` }],
      Quiet: 'true',
    })
  })

  it.each(['', 'no xml', '<Delete>', '<Other/>', '<!DOCTYPE a [<!ENTITY b "c">]><Delete><Key>&b;</Key>'])(
    'are rejected when they are %j',
    (text) => {
      expect(() => readXml(text, 'Delete')).toThrow(expect.objectContaining({ code: 'MalformedXML' }))
    },
  )

  it('are written so that they can be read back', () => {
    const document = writeXml('Delete', {
      Object: [{ Key: `a & "b" <c> 'd'` }, { Key: '7' }],
      Quiet: false,
      Left: undefined,
    })
    expect(document).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<Delete xmlns="http/)
    expect(readXml(document, 'Delete')).toEqual({ Object: [{ Key: `a & "b" <c> 'd'` }, { Key: '7' }], Quiet: 'false' })
  })

  it('are read only up to the limit, whatever length they declare', async () => {
    const parts = { pace: { uploadIdleMs: 1000, uploadMinBytesPerSecond: 0 } }
    const body = () =>
      Readable.from([Buffer.from('<Delete>'), Buffer.alloc(2 * 1024 * 1024, ' '), Buffer.from('</Delete>')])
    for (const sizeBytes of [undefined, 100])
      await expect(receiveXml({ body: body(), sizeBytes, parts }, 'Delete')).rejects.toMatchObject({
        code: 'EntityTooLarge',
      })
    await expect(receiveXml({ body: body(), sizeBytes: 3 * 1024 * 1024, parts }, 'Delete')).rejects.toMatchObject({
      code: 'MalformedXML',
    })
  })
})
