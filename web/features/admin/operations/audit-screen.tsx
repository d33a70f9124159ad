import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { csvOf } from '@ovation/contract/csv'
import { operationsTexts } from '@ovation/contract/texts/operations'
import { IconDownload, IconListSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessageOf } from '../../../lib/api/error-message-of.ts'
import { download } from '../../../lib/browser/download.ts'
import { formatExact } from '../../../lib/format/format-date.ts'
import { toast } from '../../../ui/toast.ts'
import { AdminList } from '../admin-list.tsx'
import { SecondFactorGate } from '../second-factor-gate.tsx'
import { AdminPage } from './admin-page.tsx'
import { type AuditFilter, type AuditLine, auditQuery, noFilter, readWholeLog } from './audit-queries.ts'
import { Line } from './line.tsx'
import lineClasses from './lines.module.css'
import classes from './operations.module.css'
import { UserName } from './user-name.tsx'

const texts = operationsTexts.audit
const typingPauseMs = 300

/** The audit log: admins' actions, with values before and after (DATA-25). Read-only. */
export function AuditScreen() {
  return (
    <SecondFactorGate>
      <AuditLog />
    </SecondFactorGate>
  )
}

function AuditLog() {
  const [filter, setFilter] = useState(noFilter)
  const [settledFilter] = useDebouncedValue(filter, typingPauseMs)
  const query = useInfiniteQuery(auditQuery(settledFilter))
  const change = (part: Partial<AuditFilter>) => setFilter({ ...filter, ...part })
  const exporting = useMutation({
    mutationFn: () => readWholeLog(filter),
    onSuccess: (lines) =>
      download(`audit-log-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv;charset=utf-8', logAsCsv(lines)),
    onError: (error) => toast.error(errorMessageOf(error), texts.exportFailed),
  })

  return (
    <AdminPage
      title={texts.title}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden="true" />}
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          {texts.export}
        </Button>
      }
    >
      <div className={classes.filters}>
        <TextInput
          label={texts.who}
          placeholder={texts.whoPlaceholder}
          maxLength={50}
          autoCapitalize="none"
          spellCheck={false}
          value={filter.actor}
          onChange={(event) => change({ actor: event.currentTarget.value })}
        />
        <NativeSelect
          label={texts.what}
          data={[
            { value: '', label: texts.everything },
            ...Object.entries(texts.actions).map(([value, label]) => ({ value, label })),
          ]}
          value={filter.action}
          onChange={(event) => change({ action: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={texts.from}
          max={filter.to || undefined}
          value={filter.from}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          type="date"
          label={texts.to}
          min={filter.from || undefined}
          value={filter.to}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </div>
      <AdminList
        query={query}
        rows={query.data?.pages.flat()}
        label={texts.list}
        empty={texts.none}
        icon={IconListSearch}
        failure={{ title: texts.loadFailed, message: errorMessageOf(query.error) }}
      >
        {(line) => <Entry key={line.id} line={line} />}
      </AdminList>
    </AdminPage>
  )
}

const columns = [
  'created_at',
  'actor',
  'actor_id',
  'action',
  'subject_type',
  'subject_id',
  'before',
  'after',
  'details',
] as const

/** The log as CSV with a header; recorded values are JSON. */
function logAsCsv(lines: readonly AuditLine[]): string {
  const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)
  return csvOf([columns, ...lines.map((line) => columns.map((column) => String(textOf(line[column]) ?? '')))])
}

function Entry({ line }: { line: AuditLine }) {
  const { created_at, actor, actor_name, actor_id, action, subject_type, subject_id, before, after, details } = line
  const title = texts.actions[action] ?? action
  return (
    <Line
      label={texts.show(title)}
      head={
        <>
          <h2 className={lineClasses.title}>{title}</h2>
          {line.subject_username && <UserName username={line.subject_username} name={line.subject_name} />}
        </>
      }
      end={
        <>
          {actor_id ? <UserName username={actor} name={actor_name} /> : texts.server}
          <time dateTime={created_at}>{formatExact(created_at)}</time>
        </>
      }
    >
      <dl className={classes.record}>
        <Values name={texts.before} values={before} />
        <Values name={texts.after} values={after} />
        <Values name={texts.details} values={details} />
        <dt>{`${texts.subjects[subject_type] ?? subject_type} ${texts.id}`}</dt>
        <dd className={classes.mono}>{subject_id}</dd>
        {actor_id && (
          <>
            <dt>{`${texts.who} ${texts.id}`}</dt>
            <dd className={classes.mono}>{actor_id}</dd>
          </>
        )}
      </dl>
    </Line>
  )
}

/** Recorded values as `name: value`; renders nothing if there are none. */
function Values({ name, values }: { name: string; values: unknown }) {
  if (typeof values !== 'object' || values === null) return null
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <>
      <dt>{name}</dt>
      {entries.map(([key, value]) => (
        <dd key={key}>
          {key}: {readable(value)}
        </dd>
      ))}
    </>
  )
}

const isTime = /^\d{4}-\d\d-\d\dT/

function readable(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return isTime.test(value) ? formatExact(value) : value
}
