// Symbols of the columns as contributions to a name, with lazy accessors.

import { viewSymbol, type ViewContext } from "../../object/columns/views.js";
import type { ObjectSymbol } from "../../object/object.js";
import type { Contribution } from "../model/contributions.js";

export class ViewedContribution implements Contribution {
  readonly object: number;
  readonly index: number;
  private readonly context: ViewContext;

  constructor(context: ViewContext, object: number, index: number) {
    this.context = context;
    this.object = object;
    this.index = index;
  }

  get symbol(): ObjectSymbol {
    return viewSymbol(this.context, this.object, this.context.columns.firstSymbol[this.object]! + this.index);
  }
}
