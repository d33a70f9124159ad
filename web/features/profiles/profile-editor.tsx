import { Anchor, Checkbox, Input, Stack, Textarea, TextInput } from '@mantine/core'
import {
  bioMaxLength,
  categories,
  displayNameMaxLength,
  maxCategories,
  websiteMaxLength,
} from '@ovation/contract/limits'
import { paths } from '@ovation/contract/paths'
import { profileTexts } from '@ovation/contract/texts/profile'
import { profileEditorTexts } from '@ovation/contract/texts/profile-editor'
import { useState } from 'react'
import { Link } from 'react-router'
import { Chip } from '../../ui/chip.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormFoot } from '../../ui/form-foot.tsx'
import { ImageField } from './image-field.tsx'
import classes from './profile-editor.module.css'
import type { Profile } from './queries.ts'
import { useProfileForm } from './use-profile-form.ts'
import { WatermarkSwitch } from './watermark-switch.tsx'

const editor = profileEditorTexts

/** PROF-08. Pictures are saved at once, the rest with "Save". */
export default function ProfileEditor({ profile, onClose: close }: { profile: Profile; onClose: () => void }) {
  const { form, submit, pending, error } = useProfileForm(profile, close)
  const [asking, setAsking] = useState(false)
  const discard = () => {
    form.forgetDraft()
    close()
  }
  const onClose = () => (form.isDirty() ? setAsking(true) : discard())
  const chosen = form.values.categories
  const isFull = chosen.length >= maxCategories

  return (
    <Dialog title={profileTexts.edit} onClose={onClose} size="lg" closable={!pending} fullScreenOnPhone>
      <Stack gap="lg">
        <ImageField kind="banner" profile={profile} />
        <ImageField kind="avatar" profile={profile} />
        {profile.is_creator && <WatermarkSwitch profileId={profile.id} />}
        {profile.is_verified && (
          <Anchor component={Link} to={paths.settings} size="sm">
            {editor.more}
          </Anchor>
        )}
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={editor.displayName}
              maxLength={displayNameMaxLength}
              autoComplete="name"
              dir="auto"
              {...form.getInputProps('displayName')}
            />
            <Textarea
              label={editor.bio}
              rows={4}
              maxLength={bioMaxLength}
              dir="auto"
              description={`${form.values.bio.length}/${bioMaxLength}`}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('bio')}
            />
            <TextInput
              label={editor.website}
              type="url"
              inputMode="url"
              placeholder="https://"
              maxLength={websiteMaxLength}
              {...form.getInputProps('website')}
            />
            <Input.Wrapper
              label={editor.categories}
              description={isFull ? editor.categoriesFull : editor.categoriesHint}
              descriptionProps={{ 'aria-live': 'polite' }}
              labelElement="div"
              id="categories"
            >
              <fieldset className={classes.categories} aria-labelledby="categories-label">
                {categories.map((category) => (
                  <Chip
                    key={category}
                    type="checkbox"
                    checked={chosen.includes(category)}
                    disabled={isFull && !chosen.includes(category)}
                    onChange={({ currentTarget: { checked } }) =>
                      form.setFieldValue(
                        'categories',
                        checked ? [...chosen, category] : chosen.filter((one) => one !== category),
                      )
                    }
                  >
                    {category}
                  </Chip>
                ))}
              </fieldset>
            </Input.Wrapper>
            <Checkbox
              label={editor.isCreator}
              description={editor.isCreatorHint}
              {...form.getInputProps('isCreator', { type: 'checkbox' })}
            />
            <FormFoot submit={editor.save} pending={pending} failed={editor.failed} error={error} onCancel={onClose} />
          </Stack>
        </form>
      </Stack>
      {asking && (
        <ConfirmDialog
          title={editor.discard.title}
          message={editor.discard.message}
          confirmLabel={editor.discard.confirm}
          onConfirm={discard}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}
