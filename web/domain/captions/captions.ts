import { captionsMaxLength } from '@ovation/contract/limits'
import { captionsTexts } from '@ovation/contract/texts/captions'
import { supabase } from '../../lib/api/supabase.ts'
import { captionLanguages } from './languages.ts'

/** A video's captions in one language. `content` is WebVTT; it is undefined for captions that are already stored. */
export type Captions = { readonly language: string; readonly content?: string }

const cue = /\n(\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(\d{2,}:)?\d{2}:\d{2}\.\d{3}/

/**
 * The text of a WebVTT file.
 * @throws an Error with a readable message. The server enforces the same rules (`set_video_captions`).
 */
export async function readCaptions(file: File): Promise<string> {
  // A character has at most four bytes: don't read larger files at all.
  if (file.size > captionsMaxLength * 4) throw new Error(captionsTexts.errors.tooLarge)
  const text = (await file.text()).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (!/^WEBVTT([ \t\n]|$)/.test(text) || !cue.test(text)) throw new Error(captionsTexts.errors.notCaptions)
  if (text.length > captionsMaxLength) throw new Error(captionsTexts.errors.tooLarge)
  return text
}

/** A language that isn't taken yet: the file name's (`harbor.de.vtt`), else the viewer's, else English, else the first. */
export function guessLanguage(fileName: string, taken: readonly string[]): string {
  const free = captionLanguages.filter((language) => !taken.includes(language))
  const named = /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.vtt$/i.exec(fileName)?.[1]?.toLowerCase()
  const spoken = navigator.language.toLowerCase()
  const preferred = [named, spoken, spoken.split('-')[0], 'en']
  return preferred.flatMap((tag) => free.find((language) => language.toLowerCase() === tag) ?? [])[0] ?? free[0] ?? 'en'
}

/**
 * Stores new captions and deletes removed ones.
 * @param video its path in bucket `posts`.
 * @param before the languages that are already stored.
 */
export async function saveCaptions(video: string, captions: readonly Captions[], before: readonly string[] = []) {
  const set = (language: string, content: string | null) =>
    supabase.rpc('set_video_captions', { video, language, content: content as string }).throwOnError()
  for (const language of before) if (!captions.some((kept) => kept.language === language)) await set(language, null)
  for (const { language, content } of captions) if (content !== undefined) await set(language, content)
}
