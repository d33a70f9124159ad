import { lazy, Suspense } from 'react'

const TextLinks = lazy(() => import('./text-links.tsx'))

/** Every URL has one of these inside. Most texts have neither, and never load the code that finds links. */
const mayHaveLink = /\S[.:]\S/
const mayHaveName = /[#@][\p{L}\p{N}_]/u

type Props = { text: string /** Whether tags and mentions are links too, as in posts and comments. */; names?: boolean }

/** A user's text, with its URLs as links (LOOP-13), and its tags and mentions (TALK-01). It is text nodes and links, never HTML. */
export function LinkedText({ text, names = false }: Props) {
  if (!mayHaveLink.test(text) && !(names && mayHaveName.test(text))) return text
  return (
    <Suspense fallback={text}>
      <TextLinks text={text} names={names} />
    </Suspense>
  )
}
