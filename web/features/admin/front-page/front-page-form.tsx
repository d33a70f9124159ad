import { Button, Group, Textarea, TextInput } from '@mantine/core'
import { frontHeadlineMaxLength, frontMessageMaxLength, frontPictureAltMaxLength } from '@ovation/contract/limits'
import { authTexts } from '@ovation/contract/texts/auth'
import { frontPageTexts as texts } from '@ovation/contract/texts/front-page'
import { useState } from 'react'
import type { FrontPage } from '../../../domain/front-page/queries.ts'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { useLeavingWarning } from '../../../lib/browser/use-leaving-warning.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FormFailure } from '../../../ui/form-failure.tsx'
import { ColorField } from './color-field.tsx'
import { FeaturedField } from './featured-field.tsx'
import type { Featured } from './featured-queries.ts'
import classes from './front-page.module.css'
import { FrontPagePreview } from './front-page-preview.tsx'
import { PictureField } from './picture-field.tsx'
import { useFrontPageForm } from './use-front-page-form.ts'

/** The count of characters below the field. */
const order: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

type Props = { page: FrontPage; featured: Featured[] }

/** The settings of the front page, beside a preview (FIND-06). */
export function FrontPageForm({ page, featured }: Props) {
  const { form, picture, logo, hasUnsentPictures, clear, submit, pending, error } = useFrontPageForm(page, featured)
  const [confirming, setConfirming] = useState(false)
  useLeavingWarning(hasUnsentPictures)
  const { values } = form
  const counted = (text: string, max: number) => ({
    maxLength: max,
    description: texts.counter(text.length, max),
    inputWrapperOrder: order,
    readOnly: pending,
    dir: 'auto',
  })

  return (
    <div className={classes.columns}>
      <form className={`surface ${classes.form}`} noValidate aria-label={texts.form} onSubmit={submit}>
        <section className={classes.part} aria-labelledby="front-words">
          <h2 id="front-words">{texts.words}</h2>
          <TextInput
            label={texts.headline}
            placeholder={authTexts.front.title}
            {...counted(values.headline, frontHeadlineMaxLength)}
            {...form.getInputProps('headline')}
          />
          <Textarea
            label={texts.message}
            placeholder={authTexts.front.message}
            rows={3}
            {...counted(values.message, frontMessageMaxLength)}
            {...form.getInputProps('message')}
          />
        </section>
        <section className={classes.part} aria-labelledby="front-pictures">
          <h2 id="front-pictures">{texts.pictures}</h2>
          <PictureField kind="picture" chosen={picture.picture} disabled={pending} onChange={picture.choose} />
          {picture.picture && (
            <TextInput
              label={texts.alt}
              {...counted(values.alt, frontPictureAltMaxLength)}
              description={texts.altHint}
              {...form.getInputProps('alt')}
            />
          )}
          <PictureField kind="logo" chosen={logo.picture} disabled={pending} onChange={logo.choose} />
        </section>
        <section className={classes.part} aria-labelledby="front-color">
          <h2 id="front-color">{texts.color.heading}</h2>
          <ColorField
            value={values.accent}
            disabled={pending}
            onChange={(accent) => {
              form.setFieldValue('accent', accent)
              form.clearFieldError('accent')
            }}
            input={form.getInputProps('accent')}
          />
        </section>
        <section className={classes.part} aria-labelledby="front-creators">
          <h2 id="front-creators">{texts.creators.heading}</h2>
          <FeaturedField
            creators={values.creators}
            disabled={pending}
            onChange={(creators) => form.setFieldValue('creators', creators)}
          />
        </section>
        <FormFailure title={texts.failed} message={error ? errorMessageOf(error) : undefined} />
        <Group justify="space-between" gap="xs">
          <Button variant="default" disabled={pending} onClick={() => setConfirming(true)}>
            {texts.reset.open}
          </Button>
          <Button type="submit" loading={pending}>
            {texts.save}
          </Button>
        </Group>
      </form>
      <FrontPagePreview
        values={values}
        picture={picture.picture?.preview ?? null}
        logo={logo.picture?.preview ?? null}
      />
      {confirming && (
        <ConfirmDialog
          title={texts.reset.title}
          message={texts.reset.message}
          confirmLabel={texts.reset.confirm}
          onConfirm={() => {
            clear()
            setConfirming(false)
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </div>
  )
}
