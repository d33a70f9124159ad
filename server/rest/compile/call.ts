import type { CallPlan } from '../resolve/plan.ts'
import { compileBody } from './body.ts'
import { type Parameters, qualified, quote } from './parameters.ts'

/** A function's rows; those of a scalar have the one column `pgrst_scalar`. */
export function compileCall(plan: CallPlan, parameters: Parameters): string {
  const body = plan.arguments.kind === 'json' ? `${compileBody(plan.arguments.body, parameters)}, lateral ` : ''
  const call = `${qualified(plan.function)}(${compileArguments(plan.arguments, parameters)})`
  if (plan.returns !== 'composite')
    return `select pgrst_call.pgrst_scalar from ${body}${call} as pgrst_call(pgrst_scalar)`
  const list = plan.returning.map((name) => `pgrst_call.${name === '*' ? '*' : quote(name)}`).join(', ')
  return `select ${list || 'pgrst_call.*'} from ${body}${call} as pgrst_call`
}

function compileArguments(given: CallPlan['arguments'], parameters: Parameters): string {
  switch (given.kind) {
    case 'none':
      return ''
    case 'single':
      return given.value === undefined ? `null::${given.type}` : `${parameters.add(given.value)}::${given.type}`
    case 'values':
      return given.given
        .map(({ parameter, values }) => {
          if (parameter.variadic) {
            const elements = values.map((value) => parameters.add(value)).join(', ')
            return `variadic ${quote(parameter.name)} => array[${elements}]::${parameter.type}`
          }
          return `${quote(parameter.name)} => ${values.map((value) => parameters.add(value)).join('')}::${parameter.type}`
        })
        .join(', ')
    case 'json':
      return given.parameters
        .map(({ name, variadic }) => `${variadic ? 'variadic ' : ''}${quote(name)} => pgrst_body.${quote(name)}`)
        .join(', ')
  }
}
