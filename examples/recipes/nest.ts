import "reflect-metadata";
import {
  Body,
  Controller,
  type DynamicModule,
  HttpException,
  type INestApplication,
  Inject,
  Module,
  Post,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { createListener, type Engine, isGatewayError, textOf } from "tollgate";

/** The token that the engine is injected by. */
export const ENGINE = Symbol("tollgate engine");

@Controller("ask")
class AskController {
  readonly #engine: Engine;

  constructor(@Inject(ENGINE) engine: Engine) {
    this.#engine = engine;
  }

  @Post()
  async ask(@Body() body: { question: string }): Promise<{ text: string }> {
    try {
      const messages = [{ role: "user" as const, content: body.question }];
      return { text: textOf(await this.#engine.chat({ model: "openai/gpt-5-mini", messages })) };
    } catch (error) {
      if (isGatewayError(error)) throw new HttpException({ code: error.code, message: error.message }, error.status);
      throw error;
    }
  }
}

@Module({})
class AppModule {
  static over(engine: Engine): DynamicModule {
    const providers = [{ provide: ENGINE, useValue: engine }];
    return { module: AppModule, controllers: [AskController], providers };
  }
}

/** The gateway's API under `/ai`, and a controller that the engine is injected into. */
export async function makeApp(engine: Engine): Promise<INestApplication> {
  const app = await NestFactory.create(AppModule.over(engine), { logger: ["error", "warn"] });
  app.use("/ai", createListener({ engine })); // in front of Nest's parser, so its limit does not hold
  return app;
}
