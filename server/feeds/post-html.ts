import { escapeHtml } from '../escape-html.ts'
import { cleanText } from './feed-texts.ts'

type PostHtml = {
  /** Plain text. */
  readonly text: string
  /** Whether the text is only the beginning. */
  readonly isCut: boolean
  readonly pictureUrls: readonly string[]
  /** What to do to see the rest. */
  readonly more?: { readonly text: string; readonly url: string } | undefined
}

/** A post as HTML: paragraphs, then pictures. `dir="auto"`, because a reader shows posts in all scripts beside each other. */
export function postHtml({ text, isCut, pictureUrls, more }: PostHtml): string {
  return [
    ...paragraphsOf(isCut ? `${text.trimEnd()}…` : text).map((paragraph) => `<p dir="auto">${paragraph}</p>`),
    ...pictureUrls.map((url) => `<p><img src="${escapeHtml(url)}" alt="" /></p>`),
    ...(more ? [`<p><a href="${escapeHtml(more.url)}">${escapeHtml(cleanText(more.text))}</a></p>`] : []),
  ].join('\n')
}

/** Empty lines separate paragraphs; other line breaks stay line breaks. */
function paragraphsOf(text: string): string[] {
  return cleanText(text)
    .split(/\n\s*\n/)
    .map((paragraph) => escapeHtml(paragraph.trim()).replaceAll('\n', '<br />'))
    .filter((paragraph) => paragraph !== '')
}
