import { lazy, Suspense } from 'react'

const TextLinks = lazy(() => import('./text-links.tsx'))

/** Every URL has one of these inside. Most texts have neither, and never load the code that finds links. */
const mayHaveLink = /\S[.:]\S/

/** A user's text, with its URLs as links (LOOP-13). It is text nodes and links, never HTML. */
export function LinkedText({ text }: { text: string }) {
  if (!mayHaveLink.test(text)) return text
  return (
    <Suspense fallback={text}>
      <TextLinks text={text} />
    </Suspense>
  )
}
