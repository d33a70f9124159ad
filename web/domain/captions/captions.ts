import { captionsMaxLength } from '@ovation/contract/limits'
import { captionsTexts } from '@ovation/contract/texts/captions'
import { supabase } from '../../lib/api/supabase.ts'
import { captionLanguages } from './languages.ts'

/** One language of a video. `content` is WebVTT; without it they lie with the video already. */
export type Captions = { readonly language: string; readonly content?: string }

const cue = /\n(\d{2,}:)?\d{2}:\d{2}\.\d{3}[ \t]+-->[ \t]+(\d{2,}:)?\d{2}:\d{2}\.\d{3}/

/**
 * The text of a WebVTT file.
 * @throws an Error with a sentence for people. The server refuses the same (`set_video_captions`).
 */
export async function readCaptions(file: File): Promise<string> {
  // Four bytes at most for a character: what is larger is not read at all.
  if (file.size > captionsMaxLength * 4) throw new Error(captionsTexts.errors.tooLarge)
  const text = (await file.text()).replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  if (!/^WEBVTT([ \t\n]|$)/.test(text) || !cue.test(text)) throw new Error(captionsTexts.errors.notCaptions)
  if (text.length > captionsMaxLength) throw new Error(captionsTexts.errors.tooLarge)
  return text
}

/** The language that a file's name tells (`harbour.de.vtt`), else the viewer's, else any that is free. */
export function guessLanguage(fileName: string, taken: readonly string[]): string {
  const free = captionLanguages.filter((language) => !taken.includes(language))
  const told = /[._-]([a-z]{2,3}(?:-[a-z]{2,4})?)\.vtt$/i.exec(fileName)?.[1]?.toLowerCase()
  const spoken = navigator.language.toLowerCase()
  const preferred = [told, spoken, spoken.split('-')[0], 'en']
  return preferred.flatMap((tag) => free.find((language) => language.toLowerCase() === tag) ?? [])[0] ?? free[0] ?? 'en'
}

/**
 * Makes the captions of a video what they are now.
 * @param video its path in bucket `posts`.
 * @param before the languages that lie with it already.
 */
export async function saveCaptions(video: string, captions: readonly Captions[], before: readonly string[] = []) {
  const set = (language: string, content: string | null) =>
    supabase.rpc('set_video_captions', { video, language, content: content as string }).throwOnError()
  for (const language of before) if (!captions.some((kept) => kept.language === language)) await set(language, null)
  for (const { language, content } of captions) if (content !== undefined) await set(language, content)
}
