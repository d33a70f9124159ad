import { Text, useComputedColorScheme } from '@mantine/core'
import { frontPageTexts as texts } from '@ovation/contract/texts/front-page'
import { accentStyle } from '../../../domain/front-page/accent.ts'
import { FrontPicture } from '../../../domain/front-page/front-picture.tsx'
import { FrontWords } from '../../../domain/front-page/front-words.tsx'
import { nameOf } from '../../../lib/auth/viewer.ts'
import { publicImage } from '../../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../../ui/profile-avatar.tsx'
import classes from './front-page.module.css'
import type { FrontPageValues } from './use-front-page-form.ts'

type Props = { values: FrontPageValues; picture: string | null; logo: string | null }

/** The front page as visitors will see it, smaller. */
export function FrontPagePreview({ values, picture, logo }: Props) {
  const { headline, message, alt, accent, creators } = values
  const scheme = useComputedColorScheme('light')
  const shown = creators.filter(({ is_listed }) => is_listed)
  return (
    <section className={classes.preview} aria-labelledby="front-preview">
      <Text component="h2" id="front-preview" size="sm" c="dimmed" mb="xs">
        {texts.preview}
      </Text>
      <div className={`surface ${classes.sheet}`} style={accentStyle(accent.trim(), scheme)}>
        <FrontWords order={3} headline={headline.trim()} message={message.trim()} logo={logo} />
        {picture && (
          <div className={classes.shownPicture}>
            <FrontPicture src={picture} alt={alt.trim()} />
          </div>
        )}
        {shown.length > 0 && (
          <ul className={classes.faces}>
            {shown.map((creator) => (
              <li key={creator.id}>
                <ProfileAvatar
                  name={nameOf(creator)}
                  src={publicImage(creator.avatar_url, creator.updated_at)}
                  size={40}
                />
                <bdi>{nameOf(creator)}</bdi>
              </li>
            ))}
          </ul>
        )}
        {/* No controls: they show the color. */}
        <div className={classes.controls} aria-hidden="true">
          <span className={classes.fakeButton}>{texts.previewButton}</span>
          <span className={classes.fakeLink}>{texts.previewLink}</span>
        </div>
      </div>
    </section>
  )
}
