import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { ruleDepthMax } from '@ovation/contract/limits'
import { fanListTexts } from '@ovation/contract/texts/fan-lists'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import {
  type ConditionName,
  conditionNames,
  type DraftCondition,
  type DraftGroup,
  isFull,
  isGroup,
  newCondition,
  newGroup,
} from './audience-rule.ts'
import { ConditionFields } from './condition-fields.tsx'
import classes from './rule-field.module.css'

const texts = fanListTexts.rule

type Props = {
  viewerId: string
  value: DraftGroup
  onChange: (value: DraftGroup) => void
  /** The list that has the rule: it can't be in itself. */
  ownList?: string | undefined
}

/** Writes the rule of a smart list (LIST-02). */
export function RuleField(props: Props) {
  return <GroupField {...props} depth={1} isFull={isFull(props.value)} />
}

type GroupProps = Props & { depth: number; isFull: boolean; onRemove?: () => void }

function GroupField({ viewerId, value, onChange, ownList, depth, isFull, onRemove }: GroupProps) {
  const { join, parts } = value
  const put = (part: DraftGroup | DraftCondition) =>
    onChange({ ...value, parts: parts.map((before) => (before.key === part.key ? part : before)) })
  const add = (part: DraftGroup | DraftCondition) => onChange({ ...value, parts: [...parts, part] })
  const group = useRef<HTMLFieldSetElement>(null)
  const remove = (key: number) => {
    onChange({ ...value, parts: parts.filter((part) => part.key !== key) })
    // The button disappears with its part.
    group.current?.focus()
  }
  return (
    <fieldset ref={group} tabIndex={-1} className={classes.group} data-depth={depth}>
      <legend className="visually-hidden">{depth === 1 ? texts.title : texts.group}</legend>
      <div className={classes.head}>
        {depth === 1 && <span aria-hidden="true">{texts.title}</span>}
        <NativeSelect
          aria-label={texts.join}
          value={join}
          onChange={({ currentTarget }) => onChange({ ...value, join: currentTarget.value === 'any' ? 'any' : 'all' })}
          data={(['all', 'any'] as const).map((each) => ({ value: each, label: texts.joins[each] }))}
        />
        {onRemove && <Remove label={texts.removeGroup} onClick={onRemove} />}
      </div>
      <ul className={classes.parts}>
        {parts.map((part) => (
          <li key={part.key}>
            {isGroup(part) ? (
              <GroupField
                viewerId={viewerId}
                value={part}
                onChange={put}
                ownList={ownList}
                depth={depth + 1}
                isFull={isFull}
                onRemove={() => remove(part.key)}
              />
            ) : (
              <div className={classes.condition}>
                <NativeSelect
                  aria-label={texts.condition}
                  value={part.condition}
                  onChange={({ currentTarget }) =>
                    put({ ...newCondition(currentTarget.value as ConditionName), key: part.key })
                  }
                  data={conditionNames.map((name) => ({ value: name, label: texts.conditions[name] }))}
                />
                <ConditionFields viewerId={viewerId} value={part} onChange={put} ownList={ownList} />
                {parts.length > 1 && <Remove label={texts.removeCondition} onClick={() => remove(part.key)} />}
              </div>
            )}
          </li>
        ))}
      </ul>
      {!isFull && (
        <div className={classes.buttons}>
          <Add label={texts.add} onClick={() => add(newCondition())} />
          {depth < ruleDepthMax && <Add label={texts.addGroup} onClick={() => add(newGroup())} />}
        </div>
      )}
    </fieldset>
  )
}

const Remove = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick} className={classes.remove}>
    <IconX size={17} stroke={1.75} />
  </ActionIcon>
)

const Add = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button
    variant="subtle"
    size="compact-sm"
    leftSection={<IconPlus size={15} stroke={1.9} aria-hidden="true" />}
    onClick={onClick}
  >
    {label}
  </Button>
)
