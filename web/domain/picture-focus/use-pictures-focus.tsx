import { focusTexts } from '@ovation/contract/texts/picture-focus'
import { type ReactNode, useState } from 'react'
import { sized, useMediaLinks } from '../../lib/media/media-links.ts'
import type { Focus } from '../posts/queries.ts'
import { FocusButton } from './focus-button.tsx'
import { saveFocus } from './save-focus.ts'
import classes from './use-pictures-focus.module.css'

type Files = {
  media_urls: readonly string[]
  media_types: readonly string[]
  /** One for each file. */
  media_previews: readonly { focus?: Focus }[]
}

/** The focus points of a post's pictures while it is edited: a field for each picture, and a function that saves them (LOOP-11). */
export function usePicturesFocus({ media_urls, media_types, media_previews }: Files) {
  const pictures = media_urls.flatMap((path, index) =>
    media_types[index] === 'image' ? [{ path, before: media_previews[index]?.focus }] : [],
  )
  const { links } = useMediaLinks(pictures.map(({ path }) => path))
  const [changed, setChanged] = useState<ReadonlyMap<string, Focus>>(new Map())
  const fields = (disabled: boolean): ReactNode =>
    pictures.length > 0 && (
      <ul className={classes.pictures}>
        {pictures.map(({ path, before }, index) => {
          const link = links.get(path)
          return (
            link && (
              <li key={path}>
                <img src={sized(link, 480)} alt="" />
                <FocusButton
                  picture={focusTexts.picture(index + 1, pictures.length)}
                  url={sized(link, 960)}
                  value={changed.get(path) ?? before}
                  disabled={disabled}
                  onChange={(focus) => setChanged(new Map(changed).set(path, focus))}
                />
              </li>
            )
          )
        })}
      </ul>
    )
  const save = async () => {
    for (const [path, focus] of changed) await saveFocus(path, focus)
  }
  return { fields, save }
}
