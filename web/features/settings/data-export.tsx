import { Button } from '@mantine/core'
import { settingsTexts } from '@ovation/contract/texts/settings'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { callFunction } from '../../lib/api/functions.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { Section } from './section.tsx'
import classes from './settings.module.css'

const texts = settingsTexts.data

/** Downloads a copy of the user's data (STAT-03, API-FN-15). The link is valid for ten minutes and followed at once. */
export function DataExport() {
  const prepare = useMutation({
    mutationFn: () => callFunction<{ url: string }>('export-own-data'),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <Section title={texts.title} message={texts.message}>
      <div className={classes.body}>
        <FormFailure title={texts.failed} message={prepare.error?.message} />
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
          onClick={() => prepare.mutate()}
          loading={prepare.isPending}
        >
          {texts.submit}
        </Button>
      </div>
    </Section>
  )
}
