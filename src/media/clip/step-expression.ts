/**
 * An ffmpeg expression with the value `values[n]` if `n` bounds are at or below the variable. A binary tree, because ffmpeg
 * rejects a sum of hundreds of comparisons, and would evaluate all of it for every frame.
 */
export function stepExpression(
  variable: string,
  bounds: readonly (number | string)[],
  values: readonly string[],
): string {
  const [only = '0'] = values
  if (values.length < 2) return only
  const middle = values.length >> 1
  const below = stepExpression(variable, bounds.slice(0, middle - 1), values.slice(0, middle))
  const above = stepExpression(variable, bounds.slice(middle), values.slice(middle))
  return `if(lt(${variable},${bounds[middle - 1]}),${below},${above})`
}
