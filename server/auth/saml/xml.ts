import { Parser, processors } from 'xml2js'

/** An element as xml2js returns it, without name prefixes: `$` has the attributes, `_` the text, everything else lists of children. */
export type Xml = { readonly $?: Readonly<Record<string, string | undefined>>; readonly _?: string } & {
  readonly [child: string]: readonly Xml[] | undefined
}

export type XmlRoot = { readonly name: string; readonly element: Xml }

/** Undefined for malformed XML, or with a document type, which allows entities that expand without end. */
export async function parseXml(text: string): Promise<XmlRoot | undefined> {
  if (/<!DOCTYPE/i.test(text)) return undefined
  const parser = new Parser({
    tagNameProcessors: [processors.stripPrefix],
    explicitCharkey: true,
    emptyTag: () => ({}),
  })
  try {
    const parsed: unknown = await parser.parseStringPromise(text)
    const [root] = typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []
    return root && { name: root[0], element: root[1] as Xml }
  } catch {
    return undefined
  }
}

/** The element itself and all its descendants with this name, in document order. */
export function findAll({ name, element }: XmlRoot, wanted: string): readonly Xml[] {
  const below = Object.entries(element).flatMap(([child, elements]) =>
    Array.isArray(elements) ? elements.flatMap((inner) => findAll({ name: child, element: inner }, wanted)) : [],
  )
  return name === wanted ? [element, ...below] : below
}
