import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { countryCodes, ssnCountry } from '@ovation/contract/countries'
import { addressMaxLength, fullNameMaxLength } from '@ovation/contract/limits'
import { verificationTexts as texts } from '@ovation/contract/texts/verification'
import { countryOptions } from '../../lib/format/country-options.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { IdImageField } from './id-image-field.tsx'
import { Introduction } from './introduction.tsx'
import { SsnField } from './ssn-field.tsx'
import { useApplicationForm } from './use-application-form.ts'
import classes from './verification-screen.module.css'

/** VER-05. The country comes first, because it decides what else is needed (LOOP-08). */
export function ApplicationForm({ userId }: { userId: string }) {
  const { form, submit, pending, failure, progress, chooseImage } = useApplicationForm(userId)
  const image = (field: 'idFront' | 'idBack') => ({
    value: form.values[field],
    error: form.errors[field],
    onChange: (file: File) => chooseImage(field, file),
    disabled: pending,
    'data-path': field,
  })

  return (
    <form onSubmit={submit} noValidate className={`surface ${classes.card}`}>
      <Stack gap="lg">
        <Introduction />
        <NativeSelect
          label={texts.country.label}
          description={texts.country.hint}
          autoComplete="country"
          data={countryOptions(countryCodes, texts.country.choose)}
          disabled={pending}
          {...form.getInputProps('country')}
        />
        {form.values.country && (
          <>
            <TextInput
              label={texts.fullName.label}
              description={texts.fullName.hint}
              autoComplete="name"
              maxLength={fullNameMaxLength}
              readOnly={pending}
              {...form.getInputProps('fullName')}
            />
            <Textarea
              label={texts.address.label}
              description={texts.address.hint}
              autoComplete="street-address"
              className={classes.address ?? ''}
              rows={3}
              maxLength={addressMaxLength}
              readOnly={pending}
              {...form.getInputProps('address')}
            />
            {form.values.country === ssnCountry && (
              <SsnField {...form.getInputProps('ssn')} value={form.values.ssn} readOnly={pending} />
            )}
            <fieldset className={classes.documents}>
              <legend>{texts.documents}</legend>
              <Text size="xs" c="dimmed" mb="xs">
                {texts.documentsHint}
              </Text>
              <div className={classes.sides}>
                <IdImageField label={texts.idFront} progress={progress.front} {...image('idFront')} />
                <IdImageField label={texts.idBack} progress={progress.back} {...image('idBack')} />
              </div>
            </fieldset>
            <div>
              <FormFailure title={failure?.title} message={failure?.message} />
              <Group justify="flex-end">
                <Button type="submit" size="md" loading={pending}>
                  {texts.submit}
                </Button>
              </Group>
            </div>
          </>
        )}
      </Stack>
    </form>
  )
}
