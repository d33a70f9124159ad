import { expect, it } from 'vitest'

const files = import.meta.glob<string>(['../{app,domain,features,ui}/**/*.tsx', '!**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const control = /<(?:Button|ActionIcon|UnstyledButton|CloseButton|Menu\.Item|Anchor|button|a)\b/g
/** A handler, the form's, a link, or what the parent passes. A disabled control has none. */
const act = /\bon(?:Click|KeyDown)=|\btype="submit"|\bhref=|\bto=|\{\.\.\.|\bdisabled\n/
const noAct = /\bon[A-Z]\w*=\{\(\) => (?:undefined|null|\{\s*\})\}|\bhref="#?"/
/** Its parent opens a menu or the file picker. */
const handledByParent = /\.Target>\s*$|The drop zone handles the click\. \*\/\}\s*$/

it('gives every button and link something to do [GEN-09]', () => {
  const controls = Object.entries(files).flatMap(([file, source]) =>
    [...source.matchAll(control)]
      .filter(({ index }) => !handledByParent.test(source.slice(0, index)))
      .map(({ index }) => ({ file, tag: tagAt(source, index) })),
  )
  expect(controls.length).toBeGreaterThan(200)
  expect(controls.filter(({ tag }) => !act.test(tag) || noAct.test(tag))).toEqual([])
})

/** An opening tag, which may have functions with `=>` between its braces. */
function tagAt(source: string, start: number): string {
  let depth = 0
  for (let end = start; end < source.length; end++) {
    const character = source[end]
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (character === '>' && depth === 0) return source.slice(start, end + 1)
  }
  throw new Error('A tag doesn’t end')
}
