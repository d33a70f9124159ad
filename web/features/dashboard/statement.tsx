import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { statementTexts as texts } from '@ovation/contract/texts/statements'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { callFunction } from '../../lib/api/functions.ts'
import { toast } from '../../ui/toast.ts'
import classes from './dashboard-screen.module.css'

type File = { format: 'audit' | 'csv' | 'pdf'; month?: string }

/** The statement to read, as CSV or as a month's PDF, and beside it the audit file with its checksums (LOOP-21). */
export function Statement() {
  const title = useId()
  const [months] = useState(() => lastMonths(new Date()))
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const download = useMutation({
    mutationFn: (file: File) => callFunction<{ url: string }>('export-statement', file),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast.error(error.message, texts.error),
  })
  const button = (label: string, file: File) => (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.6} aria-hidden="true" />}
      loading={download.isPending && download.variables.format === file.format}
      onClick={() => download.mutate(file)}
    >
      {label}
    </Button>
  )
  return (
    <section aria-labelledby={title}>
      <h2 id={title} className={classes.heading}>
        {texts.title}
      </h2>
      <Text c="dimmed" mb="md">
        {texts.hint}
      </Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={texts.month}
          data={months}
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        {button(texts.pdf, { format: 'pdf', month })}
        {button(texts.csv, { format: 'csv' })}
      </Group>
      <details className={classes.audit}>
        <summary>{texts.audit.title}</summary>
        <Text c="dimmed" my="sm" maw="46rem">
          {texts.audit.hint} <code className={classes.command}>{texts.audit.command}</code>
        </Text>
        {button(texts.audit.download, { format: 'audit' })}
      </details>
    </section>
  )
}

/** This month and the 35 before it, in UTC like the statement. The CSV has everything older. */
function lastMonths(now: Date): { value: string; label: string }[] {
  const name = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: 36 }, (_, back) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))
    return { value: month.toISOString().slice(0, 7), label: name.format(month) }
  })
}
