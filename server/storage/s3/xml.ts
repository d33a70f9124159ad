import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { s3Errors } from './s3-errors.ts'

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@' })
const lists = new Set(['Part', 'Object'])
const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false, // a key may look like a number
  trimValues: false,
  removeNSPrefix: true,
  htmlEntities: true, // Go's encoder writes a quote as &#34;
  isArray: (name) => lists.has(name),
})

export type XmlValue = string | number | boolean | undefined | XmlElement | readonly XmlElement[]
export type XmlElement = { readonly [name: string]: XmlValue }

/** A document with one element, in S3's namespace. Undefined values are left out; a list repeats its element. */
export function writeXml(root: string, content: XmlElement): string {
  const known = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
  const body: string = builder.build({ [root]: { '@xmlns': 'http://s3.amazonaws.com/doc/2006-03-01/', ...known } })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}`
}

/** @returns the content of the root element. @throws MalformedXML (400). */
export function readXml(text: string, root: string): Record<string, unknown> {
  try {
    const document = parser.parse(text, true) as Record<string, unknown>
    const content = document[root]
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>
  } catch {
    // Answered below.
  }
  throw s3Errors.malformedXml()
}
